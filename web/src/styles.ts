import './design/fonts.css';
import './design/theme.css';
import './design/base.css';
import './design/layout.css';

/** Passwords of ten or more characters from published lists of leaked passwords; lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  1234567890 12345678900 12345678910 0123456789 0987654321 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc
  q1w2e3r4t5 q1w2e3r4t5y6 qwertyuiop qwertyuiop123 qwerty123456 qwerty12345 qwerty1234 qwerty123! qwertyqwerty
  qwer1234qwer asdfghjkl1 asdfghjkl123 asdfghjklñ asdfasdfasdf asdf1234asdf zaq12wsxcde3 zaq1zaq1zaq1 zxcvbnm123
  zxcvbnm1234 1234qwerasdf 123qweasdzxc qweasdzxc123 qazwsxedcrfv qazwsxedc123 abcd123456 abcde12345 abc1234567
  abcdef1234 abcdefg123 a123456789 a1234567890 aa12345678 aa123456789 123456789a 123456789q 123456789z 123456789abc
  1234567890a 1234567890q 12345678qwe 987654321a 1122334455 1112223334 123123123123 123321123321 1029384756
  147258369a 159753456852 7894561230 789456123a 9876543210 5555555555 1234554321 1234512345 12344321aa
  password12 password123 password1234 password12345 password123! password01 password2020 password2021 password2022
  password2023 password2024 password2025 password2026 passwordpassword mypassword mypassword1 mypassword123
  newpassword newpassword1 thepassword p@ssw0rd12 p@ssw0rd123 p@ssword123 passw0rd12 passw0rd123 pa$$word123 pass123456
  pass1234567 passpass123 secret1234 secret12345 secretpassword changeme12 changeme123 letmein123 letmein1234
  letmeinplease welcome123 welcome1234 welcome2024 welcome2025 welcome2026 administrator admin12345 admin123456
  admin1234567 adminadmin admin@1234 admin@12345 root123456 superadmin superman123 batman12345 spiderman1 spiderman123
  starwars123 pokemon123 pokemon1234 minecraft1 minecraft123 liverpool1 liverpool123 manchester manchester1 chelsea123
  arsenal123 barcelona1 barcelona10 barcelona123 realmadrid realmadrid1 realmadrid10 football123 football12 baseball123
  basketball basketball1 soccer12345 computer123 internet123 samsung123 iphone12345 google12345 facebook123
  instagram1 youtube123 monkey12345 dragon12345 shadow12345 master12345 sunshine12 sunshine123 princess12 princess123
  butterfly1 butterfly123 chocolate1 chocolate123 strawberry strawberry1 blueberry1 watermelon jessica123 michelle123
  michael123 jennifer123 jordan12345 elizabeth1 alexander1 alexandra1 christian1 christopher francisco1 valentina1
  valentina123 sebastian1 sebastian123 alejandro1 alejandro123 alejandra1 alejandra123 fernanda123 carolina123
  santiago123 esperanza1 guadalupe1 victoria123 nicolas1234 gabriela123 daniela1234 mariposa123 mariposita
  iloveyou12 iloveyou123 iloveyou1234 iloveyouso iloveyou!! ilovegod12 loveyou123 lovelove123 forever123 happy12345
  hello12345 hello123456 helloworld helloworld1 whatever123 trustno1234 freedom123 changethis jesuschrist jesus12345
  jesusteamo jesusesamor jesusislord blessed123 diosesamor diosesamor1 diosteamo1 teamo12345 teamo123456 teamomucho
  teamomucho1 teamoamor1 teamoteamo tequieromucho tequiero12 tequiero123 teextrano1 amorcito123 amordemivida miamorcito
  mividaeres mifamilia1 mifamilia123 contraseña contraseña1 contraseña12 contraseña123 contrasena contrasena1
  contrasena12 contrasena123 contrasena1234 micontraseña micontrasena clave12345 clave123456 claveclave miclave123
  usuario123 usuario1234 administrador bienvenido bienvenido1 bienvenido123 estrellita corazon123 corazoncito chiquitita
  colombia12 colombia123 colombia1234 colombia2024 colombia2025 colombia2026 micolombia medellin12 medellin123 bogota1234
  bogota12345 cali123456 barranquilla cartagena1 cartagena123 millonarios millonarios1 nacional123 atletico123
  americadecali juniortupapa mexico1234 mexico12345 argentina1 argentina123 venezuela1 venezuela123 españa1234
  arboleda123 arboleda1234 arboleda12345 arboleda2024 arboleda2025 arboleda2026
  `
    .trim()
    .toLowerCase()
    .split(/\s+/),
);

"""Further files of the sort that people bring, as neighbours of each kind of fault: read, or said with the place."""

import pytest

from tests.lessons.data.wild import Case, check, said_of, sheet_of

NEIGHBOURS = {  # by the kind of fault that they are neighbours of
    "O: money $": Case(
        "item,price\na,$1.50\nb,$2.25\nc,$3.00\n", "item:t, price:t", 3, said="Numbers are written as 1150.5"
    ),
    "O: money $ thousands": Case(
        'item,price\na,"$1,150.00"\nb,"$2,300.50"\nc,$980.00\n', "item:t, price:t", 3, said="Numbers are written as"
    ),
    "O: euro trailing": Case("item;price\na;1,50 €\nb;2,25 €\nc;3,00 €\n", "item:t, price:t", 3, said="such as"),
    "O: accounting negatives": Case("x,y\n1,(5.50)\n2,(3.25)\n3,4.00\n", "x:n, y:t", 3, said="“(5.50)” in row 2"),
    "O: trailing minus": Case("x;y\n1;5.5-\n2;3.2-\n3;4.0\n", "x:n, y:t", 3, said="“5.5-” in row 2"),
    "D: time hh:mm": Case("t,x\n12:30,1\n12:45,2\n13:00,3\n", "t:t, x:n", 3, said=""),
    "D: dates dotted": Case("d;x\n01.02.2020;1\n02.02.2020;2\n03.02.2020;3\n", "d:t, x:n", 3, said=""),
    "D: dates us": Case("d,x\n1/2/2020,1\n1/3/2020,2\n1/4/2020,3\n", "d:t, x:n", 3, said=""),
    "D: year.month": Case("d;x\n2020.01;1\n2020.02;2\n2020.03;3\n", "d:n, x:n", 3, said=""),
    "O: fractions": Case("x,y\n1,1/2\n2,3/4\n3,1/4\n", "x:n, y:t", 3, said="“1/2” in row 2"),
    "O: less than": Case(
        "x,y\n1,<0.5\n2,0.7\n3,0.9\n4,1.1\n5,1.2\n6,1.4\n7,1\n8,2\n9,3\n10,4\n11,5\n12,6\n",
        "x:n, y:t",
        12,
        said="row 2 says “<0.5”",
    ),
    "O: stars": Case("x,y\n1,0.5*\n2,0.7**\n3,0.9\n", "x:n, y:t", 3, said=""),
    "O: plus minus": Case("x,y\n1,0.5±0.1\n2,0.7±0.2\n3,0.9±0.1\n", "x:n, y:t", 3, said=""),
    "D: intervals": Case("x,age\n1,20-29\n2,30-39\n3,20-29\n4,30-39\n", "x:n, age:c", 4, said=""),
    "J: Likert words": Case("id,q1\n1,agree\n2,disagree\n3,agree\n4,neutral\n", "id:r, q1:c", 4, said=""),
    "E: booleans": Case("x,ok\n1,TRUE\n2,FALSE\n3,TRUE\n", "x:n, ok:c", 3, said=""),
    "E: boolean lower": Case("x,ok\n1,true\n2,false\n3,true\n", "x:n, ok:c", 3, said=""),
    "E: yes no": Case("x,ok\n1,yes\n2,no\n3,yes\n", "x:n, ok:c", 3, said=""),
    "J: leading zeros zip": Case(
        "zip,x\n01234,1\n02345,2\n00501,3\n", "zip:t, x:n", 3, said="“01234” in row 2 begins with a zero"
    ),
    "J: leading zeros in groups": Case(
        "fips,x\n36061,1\n,2\n06037,3\n06037,4\n36061,5\n", "fips:c, x:n", 5, said="choose “number” as its type"
    ),
    "J: leading zeros of hours": Case("hour,x\n00,1\n06,2\n12,3\n", "hour:n, x:n", 3, said="Zeros in front were"),
    "J: leading zeros of several lengths": Case(
        "part,x\n007,1\n12,2\n1234,3\n", "part:n, x:n", 3, said="were left out: “007” in row 2"
    ),
    "J: leading zeros in counts of rows": Case("id,x\n001,5\n002,6\n003,8\n", "id:r, x:n", 3, said="1 to 3"),
    "D: dates without marks": Case(
        "d;x\n20200131;1\n;5\n20200201;2\n20200202;3\n", "d:t, x:n", 4, said="all are dates such as “20200131”"
    ),
    "D: eight digits that are no dates": Case("d;x\n20200131;1\n20201301;2\n20200202;3\n", "d:n, x:n", 3, said=""),
    "J: long numbers of one length": Case("a,b\n4006381,1\n4006382,2\n5006383,3\n", "a:n, b:n", 3, said=""),
    "D: phone": Case("phone,x\n+49 151 123456,1\n+49 160 234567,2\n+49 170 345678,3\n", "phone:t, x:n", 3, said=""),
    "J: big ids": Case(
        "tweet_id,x\n1234567890123456789,1\n1234567890123456790,2\n1234567890123456791,3\n",
        "tweet_id:t, x:n",
        3,
        said="all have 19 digits, as codes do",
    ),
    "K: two header rows": Case(
        "height,weight\ncm,kg\n170,60\n180,80\n165,55\n175,70\n", "height cm:n, weight kg:n", 4, said="Rows 1 and 2"
    ),
    "K: multiindex": Case(
        ",height,height\n,mean,std\na,1,2\nb,3,4\nc,5,7\n",
        "column 1:t, height mean:n, height std:n",
        3,
        said="Rows 1 and 2 were both read as names",
    ),
    "P: total row": Case(
        "region,x\nA,1\nB,2\nC,3\nTotal,6\n", "region:t, x:n", 4, said="“Total” in row 5 is read as any other row"
    ),
    "P: footnotes": Case(
        "region,x\nA,1\nB,2\nC,3\n\nSource: Eurostat\nNote: provisional\n", "region:t, x:n", 3, said="rows 6 and 7"
    ),
    "H: eurostat flags": Case(
        "geo,2019,2020\nAT,1.5 p,2.5\nBE,1.2,2.2 e\nDE,1.1,2.1\nFR,1.0,2.3\n",
        "geo:t, 2019:t, 2020:t",
        4,
        said="row 2 says “1.5 p”",
    ),
    "H: colon missing": Case(
        "geo,x\nAT,1.5\nBE,:\nDE,1.1\nFR,1.0\nES,2\nIT,3\nPL,2\nSE,1\nFI,2\nDK,4\n", "geo:t, x:n", 10, said=""
    ),
    "H: dots missing": Case(
        "geo,x\nAT,1.5\nBE,..\nDE,1.1\nFR,1.0\nES,2\nIT,3\nPL,2\nSE,1\nFI,2\nDK,4\nNO,3\n", "geo:t, x:n", 11, said=""
    ),
    "H: dash missing": Case("geo,x\nAT,1.5\nBE,-\nDE,1.1\nFR,—\n", "geo:t, x:n", 4, said=""),
    "J: minus one missing": Case(
        "id,age\n1,20\n2,-1\n3,30\n4,-1\n5,40\n", "id:r, age:n", 5, said="-1 occurs 2 times in “age”"
    ),
    "J: classes of minus one and one": Case("x,y\n1,1\n2,-1\n3,1\n4,-1\n5,1\n", "x:n, y:n", 5, said=""),
    "Q: 99 missing": Case("id,q\n1,1\n2,2\n3,99\n4,3\n5,99\n6,4\n", "id:r, q:n", 6, said="99 occurs 2 times"),
    "Q: 9999": Case("id,inc\n1,100\n2,200\n3,9999\n4,150\n5,9999\n", "id:r, inc:n", 5, said="9999 occurs 2 times"),
    "P: markdown table": Case(
        "| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 7 |\n", "column 1:e, x:n, y:n", 3, said=""
    ),
    "P: psql table": Case(" x | y \n---+---\n 1 | 2\n 3 | 4\n 5 | 7\n(3 rows)\n", "x:n, y:n", 3, said=""),
    "P: latex table": Case("x & y \\\\\n1 & 2 \\\\\n3 & 4 \\\\\n5 & 7 \\\\\n", "x & y \\\\:t", 3, said=""),
    "P: fixed width": Case(
        "name      x     y\nAnn      1.5   2.0\nBob      2.5  13.0\nEve      3.5   4.0\n",
        "name:t, x:n, y:n",
        3,
        said="",
    ),
    "P: names with blanks spaces": Case("city x\nNew York 5\nLos Angeles 6\nSan Jose 7\n", "city x:t", 3, said=""),
    "F: json array": Case(
        '[{"x":1,"y":2},{"x":3,"y":4},{"x":5,"y":7}]', "x:n, y:n", 3, said="The entries of the JSON are the rows"
    ),
    "F: json lines numbers": Case(
        '{"x":1,"y":2}\n{"x":3,"y":4}\n{"x":5,"y":7}\n', "x:n, y:n", 3, said="Each line was read as JSON"
    ),
    "F: html": Case(
        "<table><tr><th>x</th></tr><tr><td>1</td></tr></table>",
        "",
        0,
        said="By its beginning this is a web page or XML,",
    ),
    "F: arff": Case(
        "@relation iris\n@attribute a numeric\n@attribute b numeric\n@attribute c {p,q}\n@data\n1,2,p\n3,4,q\n5,7,p\n",
        "",
        0,
        said="By its beginning this is an ARFF file of",
    ),
    "F: libsvm": Case("+1 1:0.5 2:0.7\n-1 1:0.1 2:0.9\n+1 1:0.4 2:0.6\n", "+1 1:0.5 2:0.7:c", 2, said=""),
    "P: yaml front": Case("---\ntitle: x\n---\nx,y\n1,2\n3,4\n5,7\n", "x:n, y:n", 3, said="Rows 1, 2 and 3 above"),
    "P: percent comments": Case(
        "% made by Matlab\n% x y\n1 2\n3 4\n5 6\n", "", 0, said="Row 1 has 4 cells, and rows 2, 3, 4 and 5"
    ),
    "P: // comments": Case("// made\nx,y\n1,2\n3,4\n5,7\n", "x:n, y:n", 3, said="Row 1 above"),
    "I: semicolon decimal thousands de": Case(
        "stadt;einwohner;anteil\nA;3.644.826;4,4\nB;1.841.179;2,2\nC;1.471.508;1,8\n",
        "stadt:t, einwohner:n, anteil:n",
        3,
        said="",
    ),
    "I: indian lakh": Case('x,y\n1,"1,15,000"\n2,"2,30,500"\n3,"98,000"\n', "x:n, y:t", 3, said="“1,15,000” in row 2"),
    "O: k suffix": Case("x,y\n1,1.5k\n2,2.3k\n3,980\n", "x:n, y:t", 3, said=""),
    "I: sci comma": Case("x;y\n1;1,5E+03\n2;2,5E+03\n3;3,5E-02\n", "x:n, y:n", 3, said=""),
    "O: fortran D": Case("x,y\n1,1.5D+03\n2,2.5D+03\n3,3.5D+02\n", "x:n, y:t", 3, said=""),
    "F: quoted all single": Case("'x','y'\n'1','2'\n'3','4'\n'5','7'\n", "'x':t, 'y':t", 3, said=""),
    "F: smart quotes": Case("“x”,“y”\n“1”,“2”\n“3”,“4”\n“5”,“7”\n", "“x”:t, “y”:t", 3, said=""),
    "A: BOM utf8": Case(b"\xef\xbb\xbfx,y\n1,2\n3,4\n5,7\n", "x:n, y:n", 3, said=""),
    "A: utf16 no bom tabs": Case(
        b"x\x00\t\x00y\x00\n\x001\x00\t\x002\x00\n\x003\x00\t\x004\x00\n\x005\x00\t\x007\x00\n\x00",
        "x:n, y:n",
        3,
        said="",
    ),
    "A: mac roman": Case(b"gr\x9a\xa7e;x\n1;2\n3;4\n5;7\n", "grš§e:n, x:n", 3, said="read as Windows-1252"),
    "A: null bytes": Case(b"x,y\n1,2\x00\n3,4\n5,7\n", "", 0, said="This is not a text file: row 2 has the"),
    "A: CR only": Case(b"x,y\r1,2\r3,4\r5,7\r", "x:n, y:n", 3, said=""),
    "A: formfeed": Case("x,y\n1,2\n3,4\n5,7\n\x1a", "x:n, y:n", 3, said=""),
    "A: spaces around": Case(" x , y \n 1 , 2 \n 3 , 4 \n 5 , 7 \n", "x:n, y:n", 3, said=""),
    "A: empty rows between": Case("x,y\n\n1,2\n\n3,4\n\n5,7\n", "x:n, y:n", 3, said=""),
    "K: dup header": Case("x,x\n1,2\n3,4\n5,7\n", "x:n, x (2):n", 3, said="“x (2)”"),
    "K: header repeated pages": Case("x,y\n1,2\n3,4\nx,y\n5,7\n", "x:t, y:t", 4, said="row 4 says “x”"),
    "K: transposed": Case(
        "x,1,2,3,4\ny,5,6,7,8\n",
        "column 1:c, column 2:n, column 3:n, column 4:n, column 5:n",
        2,
        said="at least 3 are needed",
    ),
    "N: wide years with total": Case(
        "Country Name,Country Code,1960,1961,1962\nAruba,ABW,1.5,2.5,3.5\nChad,TCD,,2.2,3.1\nPeru,PER,1.1,,3.3\n",
        "Country Name:t, Country Code:t, 1960:n, 1961:n, 1962:n",
        3,
        said="taken for column names",
    ),
    "P: World Bank head": Case(
        (
            '"Data Source","World Development Indicators",\n'
            "\n"
            '"Last Updated Date","2020-01-01",\n'
            "\n"
            '"Country Name","Country Code","1960","1961",\n'
            '"Aruba","ABW","1.5","2.5",\n'
            '"Chad","TCD","","2.2",\n'
            '"Peru","PER","1.1","1.3",\n'
        ),
        "Country Name:t, Country Code:t, 1960:n, 1961:n",
        3,
        said="Rows 1 and 3 above",
    ),
    "H: stata dot": Case("x,y\n1,.\n2,3\n3,4\n4,.a\n", "x:n, y:t", 4, said="row 5 says “.a”"),
    "H: spss blank": Case("x,y\n1, \n2,3\n3,4\n4,5\n", "x:n, y:n", 4, said=""),
    "O: sd in parens": Case("g,m\na,1.5 (0.2)\nb,2.5 (0.3)\nc,3.5 (0.1)\n", "g:t, m:t", 3, said=""),
    "H: inf": Case("x,y\n1,inf\n2,3\n3,4\n4,5\n", "x:n, y:n", 4, said=""),
    "H: excel errors": Case(
        "x,y\n1,#DIV/0!\n2,3\n3,#REF!\n4,5\n5,6\n6,7\n7,8\n8,9\n9,9\n10,1\n11,2\n12,2\n13,4\n14,4\n15,3\n16,3\n17,3\n18,3\n19,3\n20,3\n21,3\n22,4\n",
        "x:n, y:n",
        22,
        said="are read as missing",
    ),
    "O: arabic digits": Case("x,y\n١,٢\n٣,٤\n٥,٧\n", "x:t, y:t", 3, said=""),
    "O: fullwidth digits": Case("x,y\n１,２\n３,４\n５,７\n", "x:t, y:t", 3, said=""),
    "O: degree": Case("x,t\n1,20.5°C\n2,21.5°C\n3,22.5°C\n", "x:n, t:t", 3, said=""),
    "O: duration": Case("x,t\n1,1h30\n2,2h10\n3,0h45\n", "x:n, t:t", 3, said=""),
    "O: ordinal": Case("place,x\n1st,5\n2nd,6\n3rd,7\n", "place:t, x:n", 3, said=""),
    "I: mixed decimal by accident": Case("x;y\n1;1.5\n2;2,5\n3;3.5\n", "x:n, y:t", 3, said="has a comma (“2,5”)"),
    "I: thousand space comma": Case("x;y\n1;1 150,5\n2;12 300,0\n3;980,25\n", "x:n, y:n", 3, said=""),
    "K: sum line units": Case("t [s],v [m/s]\n0,1.5\n1,2.5\n2,3.5\n", "t [s]:n, v [m/s]:n", 3, said=""),
    "F: tilde sep": Case("x~y\n1~2\n3~4\n5~7\n", "x~y:t", 3, said=""),
    "F: colon sep": Case("x:y\n1:2\n3:4\n5:7\n", "x:y:t", 3, said=""),
    "K: slash header": Case("x/y,z\n1,2\n3,4\n5,7\n", "x/y:n, z:n", 3, said=""),
    "J: lone column names": Case("height\n170\n180\n165\n", "height:n", 3, said=""),
    "I: comma decimals comma sep": Case(
        "x,y\n1,5,2,5\n3,5,4,5\n5,5,6,5\n", "", 0, said="Row 1 has 2 cells, and rows 2, 3 and 4 have"
    ),
    "J: unix ts": Case("ts,x\n1577836800,1\n1577836860,2\n1577836920,3\n", "ts:n, x:n", 3, said=""),
    "I: geo": Case(
        'lat,lon\n"48,137","11,575"\n"52,520","13,405"\n"50,110","8,682"\n',
        "lat:n, lon:n",
        3,
        said="Marks between thousands were left out: “48,137”",
    ),
    "I: geo;": Case(
        "lat;lon\n48,137;11,575\n52,520;13,405\n50,110;8,682\n", "lat:t, lon:t", 3, said="could be 48137 or 48.137"
    ),
    "P: sep line tab": Case("sep=\t\nx\ty\n1\t2\n3\t4\n5\t7\n", "x:n, y:n", 3, said=""),
    "O: p-values": Case("t,p\n1.2,<.001\n2.3,.034\n0.5,.62\n", "t:n, p:t", 3, said="“<.001”"),
    "O: 1.2.3 versions": Case("v,x\n1.2.3,5\n1.2.4,6\n1.3.0,7\n", "v:t, x:n", 3, said=""),
    "I: nbsp thousands quoted": Case('x,y\n1,"1\xa0150"\n2,"12\xa0300"\n3,980\n', "x:n, y:n", 3, said=""),
    "O: apos text numbers": Case("x,y\n1,'0012\n2,'0013\n3,'0014\n", "x:n, y:t", 3, said=""),
    "F: class ints header less": Case(
        "5.1,3.5,1\n4.9,3.0,1\n6.4,3.2,2\n6.9,3.1,2\n", "column 1:n, column 2:n, column 3:n", 4, said=""
    ),
}


@pytest.mark.parametrize("case", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_neighbours(case):
    check(case)


@pytest.mark.parametrize("case", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_what_cannot_be_a_number_is_named(case):
    """Each column that is not one of numbers is named in what is said, with its reason."""
    said = said_of(case)
    assert said or case.columns
    if not case.columns:
        return
    sheet = sheet_of(case)
    for column in sheet.columns:
        if column.kind in ("category", "text") and sheet.rows >= 3:
            assert column.name in said, column.name

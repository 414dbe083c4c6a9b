package dev.pinion.core.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of jq 1.7 whose rules are in their details. */
class JqFunctionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          [.[] | isinfinite, isnan, isnormal, isfinite] ~ [1,"a",0] ~ [false,false,true,true,false,false,false,false,false,false,false,true]
          [nan | isnan, isfinite], [infinite | isinfinite, isfinite] ~ null ~ [true,true]
          [fmin(nan; 1), fmax(1; nan), fmin(2; 1), fmax(2; 1)] ~ null ~ [1,1,1,2]
          [remainder(5; 3), remainder(-5; 3), drem(7.5; 2)] ~ null ~ [-1,1,-0.5]
          [scalb(3; 4), ldexp(3; -1), scalbln(3; 2)] ~ null ~ [48,1.5,12]
          scalb(3; 0.5) | isnan ~ null ~ true
          map(significand) ~ [8,0.3,-5,0,1e-310] ~ [1,1.2,-1.25,0,1.1505236063118787]
          map(logb) ~ [8,0.3,-5,1e-310] ~ [3,-2,2,-1030]
          [3, -0.5 | lgamma_r] ~ null ~ [[0.6931471805599453,1],[1.2655121234846454,-1]]
          [5 | tgamma, gamma, lgamma] ~ null ~ [24,3.1780538303479458,3.1780538303479458]
          [1 | erf, erfc, j0, j1, y0, y1] ~ null ~ [0.8427007929497149,0.15729920705028513,0.7651976865579666,0.4400505857449335,0.08825696421567696,-0.7812128213002887]
          [jn(2; 1.5), yn(2; 1.5), jn(2.9; 1.5)] ~ null ~ [0.23208767214421472,-0.9321937597629739,0.23208767214421472]
          map(abs) ~ [-5,-1.5,"a",[1],{}] ~ [5,1.5,"a",[1],{}]
          map(fabs) ~ [-9007199254740993,-1.5] ~ [9007199254740993,1.5]
          5e-324 | tojson ~ null ~ "5e-324"
          map(tonumber) ~ ["01",".5","1.","+5","-0","1e3","12345678901234567"] ~ [1,0.5,1,5,0,1000,12345678901234567]
          map(tonumber | isnan) ~ ["nan","-NaN","snan"] ~ [true,true,true]
          map(tonumber) ~ ["inf","-Infinity","1e1000"] ~ [1.7976931348623157E308,-1.7976931348623157E308,1.7976931348623157E308]
          [nan, nan, 1] | unique | length ~ null ~ 3
          [nan, nan] | group_by(.) | length ~ null ~ 2
          [1, nan, null, "a"] | @csv, @tsv ~ null ~ "1,,,\\"a\\""
          @html ~ "<&'\\">" ~ "&lt;&amp;&apos;&quot;&gt;"
          map(@base64d) ~ ["YQ","YQ==","YQ==x","=","","aGk"] ~ ["a","a","a","","","hi"]
          map(@base32d) ~ ["MFRGG===","MFRGG",""] ~ ["abc","abc",""]
          @urid ~ "a%C3%A9+%20" ~ "a\u00e9+ "
          [null | has("a"), has(0)] ~ null ~ [false,false]
          [indices([]), index([])] ~ [1,2] ~ [[],null]
          [indices(""), index(""), rindex("")] ~ "ab" ~ [[],null,null]
          transpose ~ [[1],null,[2,3]] ~ [[1,null,2],[null,null,3]]
          from_entries ~ [{"name":"a","Value":1},{"Key":"b","v":null,"Value":2},{"key":false,"K":"c"}] ~ {"a":1,"b":2,"c":null}
          [paths(. > 1)] ~ [1,2,[3]] ~ [[1],[2],[2,0]]
          {a: 1, b: 2,} ~ null ~ {"a":1,"b":2}
          .a?? ~ 5 ~ null
          [gsub("(?<x>[ab])"; if .x == "a" then "1", "2" else "3" end)] ~ "abab" ~ ["1313","22"]
          [gsub("a"; empty), gsub("z"; error)] ~ "aza" ~ error
          [gsub("a"; empty), gsub("y"; error)] ~ "aza" ~ ["aza","aza"]
          [sub("a", "b"; "x", "y")] ~ "ab" ~ ["xb","yb","ax","ay"]
          gsub("(?<e>\u00e9)"; .e * 2) ~ "a\u00e9\ud83d\ude00\u00e9" ~ "a\u00e9\u00e9\ud83d\ude00\u00e9\u00e9"
          gsub("a"; null) ~ "aba" ~ "b"
          [.[]?//5] ~ [null,1] ~ [1]
          """)
  void shouldFollowJq(String program, String input, String expected) {
    if (expected.equals("error")) {
      assertThrows(ExpressionException.class, () -> Expressions.value(program, input));
    } else {
      assertEquals(expected, Expressions.value(program, input));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          strftime("%-d.%-m. %e %_H %k|%5d|%_5d|%-j|%05Y|%^a|%#Z|%#p|%3n|%q|%-q|%Ey|%Od|%") ~ 0 ~ "1.1.  1  0  0|00001|    1|1|01970|THU|utc|am|  \\n|%q|%-q|70|01|%"
          strftime("%F %T %D %R %r %c %x %X %s %u %w %C %G %g %V %U %W %P %l %I %h %n%t%%") ~ 1425599621 ~ "2015-03-05 23:53:41 03/05/15 23:53 11:53:41 PM Thu Mar  5 23:53:41 2015 03/05/15 23:53:41 1425599621 4 4 20 2015 15 10 09 09 pm 11 11 Mar \\n\\t%"
          strftime("%12F|%-H|%^B|%^b %_m") ~ 0 ~ "  1970-01-01|0|JANUARY|JAN  1"
          strptime("%Y-%m-%d") ~ "2015-02-31" ~ [2015,1,31,0,0,0,2,61]
          strptime("%H:%M:%S") ~ "23:59:60" ~ [1900,0,1,23,59,60,1,0]
          strptime("%C %y") ~ "20 15" ~ [2015,0,1,0,0,0,4,0]
          strptime("%U %W %V %G %g %Y") ~ "1 2 3 2015 15 2016" ~ [2016,0,1,0,0,0,5,0]
          strptime("%-d/%_m/%Y %x %X") ~ "5/3/2015 03/06/15 01:02:03" ~ [2015,2,6,1,2,3,5,64]
          strptime("%j %Y") ~ "064 2015" ~ [2015,2,5,0,0,0,4,63]
          strptime("%s") ~ "1425599621" ~ [2015,2,5,23,53,41,4,63]
          strptime("%Y-%m-%dT%H:%M:%SZ") | mktime ~ "1969-12-31T23:59:59Z" ~ -1
          [todate, (todate | fromdate), (dateadd("seconds"; 5)), (datesub("seconds"; 5)), date] ~ 0 ~ ["1970-01-01T00:00:00Z",0,5,-5,"1970-01-01T00:00:00Z"]
          gmtime | mktime ~ 1425599621.5 ~ 1425599621
          strflocaltime("%Z") ~ 0 ~ "UTC"
          """)
  void shouldPrintAndReadDates(String program, String input, String expected) {
    assertEquals(expected, Expressions.value(program, input));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          .[null] ~ null ~ Cannot index null with null (null)
          .[{}] ~ [1] ~ Array/string slice indices must be integers
          .[{"start":0}] ~ "abc" ~ Array/string slice indices must be integers
          .["a":] ~ [1] ~ Array/string slice indices must be integers
          .[1:2] ~ {} ~ Cannot index object with object ({"start":1,"end":2})
          .[] ~ null ~ Cannot iterate over null (null)
          {(.): 1} ~ 5 ~ Cannot use number (5) as object key
          floor ~ "a" ~ string ("a") number required
          abs ~ null ~ null (null) cannot be negated
          ascii_upcase ~ 1 ~ explode input must be a string
          @csv ~ 1 ~ number (1) cannot be csv-formatted, only array
          @base64d ~ "Y" ~ string ("Y") trailing base64 byte found
          @base64d ~ "!" ~ string ("!") is not valid base64 data
          @base32d ~ "1" ~ string ("1") is not valid base32 data
          @urid ~ "%80" ~ string ("%80") is not a valid uri encoding
          delpaths([[true]]) ~ [1] ~ Cannot delete boolean element of array
          delpaths([[true]]) ~ {} ~ Cannot delete boolean field of object
          delpaths([1]) ~ {} ~ Path must be specified as array, not number
          error(null) ~ null ~ null (not a string)
          error({a: 1}) ~ null ~ {"a":1} (not a string)
          .a + 1 ~ {"a":{"b":[1,2,3,4,5,6,7,8,9,10,11]}} ~ object ({"b":[1,2,3,4,5,6,7,8,9,1...}) and number (1) cannot be added
          """)
  void shouldFailInTheWordsOfJq(String program, String input, String message) {
    ExpressionException failure =
        assertThrows(ExpressionException.class, () -> Expressions.value(program, input));

    assertEquals(message, failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          [1,-2.5e3,"a",true,false,null,{"b":[]}] ~ [1,-2500.0,"a",true,false,null,{"b":[]}]
           1  ~ 1
          [01,.5,1.,+1,-0,12345678901234567890] ~ [1,0.5,1.0,1,0,12345678901234567890]
          [nan,-NaN,NAN] ~ [null,null,null]
          [Infinity,-inf,1e999] ~ [1.7976931348623157E308,-1.7976931348623157E308,1.7976931348623157E308]
          {"a":1,"a":2} ~ {"a":2}
          "\\u00e9\\ud83d\\ude00\\n\\/\\"" ~ "\u00e9\ud83d\ude00\\n/\\""
          "\\ude00" ~ "\ufffd"
          """)
  void shouldReadJson(String text, String expected) {
    assertEquals(
        expected,
        Expressions.compile("$text | fromjson", "text")
            .evaluate(Payload.NULL, name -> text(text), Expressions.budget())
            .toString());
  }

  private static Payload text(String text) {
    return Payload.of(TextNode.valueOf(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\0',
      textBlock =
          """
          [1,] ~ Expected another array element at line 1, column 4
          {"a":1,} ~ Expected another key-value pair at line 1, column 8
          [1 ~ Unfinished JSON term at EOF at line 1, column 2
          "a ~ Unfinished string at EOF at line 1, column 2
          "\\ ~ Unfinished string at EOF at line 1, column 2
          [1 2] ~ Expected separator between values at line 1, column 5
          ["a""b"] ~ Expected separator between values at line 1, column 7
          [1[2]] ~ Expected separator between values at line 1, column 3
          {"a" 1} ~ Expected separator between values at line 1, column 7
          {a:1} ~ Invalid numeric literal at line 1, column 3
          {'a':1} ~ Invalid string literal; expected ", but got ' at line 1, column 5
          tru ~ Invalid literal at EOF at line 1, column 3
          [nul] ~ Invalid literal at line 1, column 5
          NaN1 ~ Invalid numeric literal at EOF at line 1, column 4
          - ~ Invalid numeric literal at EOF at line 1, column 1
          "\\x" ~ Invalid escape at line 1, column 4
          "\\u00" ~ Invalid \\uXXXX escape at line 1, column 6
          "\\uzzzz" ~ Invalid characters in \\uXXXX escape at line 1, column 8
          "\\ud83d" ~ Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 8
          "\\ud83d\\u0041" ~ Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 14
          "\\ud83d\\uzzzz" ~ Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 14
          ] ~ Unmatched ']' at line 1, column 1
          } ~ Unmatched '}' at line 1, column 1
          [} ~ Unmatched '}' at line 1, column 2
          {] ~ Unmatched ']' at line 1, column 2
          {"a":} ~ Unmatched '}' at line 1, column 6
          {"a"} ~ Objects must consist of key:value pairs at line 1, column 5
          {"a",1} ~ Objects must consist of key:value pairs at line 1, column 5
          [1} ~ Objects must consist of key:value pairs at line 1, column 3
          , ~ Expected value before ',' at line 1, column 1
          1,2 ~ Expected value before ',' at line 1, column 2
          : ~ Expected string key before ':' at line 1, column 1
          [1:2] ~ ':' not as part of an object at line 1, column 3
          {"a":1:2} ~ ':' not as part of an object at line 1, column 7
          {1:2} ~ Object keys must be strings at line 1, column 3
          ["\u00e9" x] ~ Invalid numeric literal at line 1, column 8
          1 2 ~ Unexpected extra JSON values
          [] {} ~ Unexpected extra JSON values
          """)
  void shouldSayWhatIsWrongWithJsonAsJqDoes(String text, String problem) {
    String found =
        Expressions.compile("try ($text | fromjson) catch .", "text")
            .evaluate(Payload.NULL, name -> text(text), Expressions.budget())
            .json()
            .textValue();

    assertEquals(problem + " (while parsing '" + text + "')", found);
  }

  @Test
  void shouldReadControlCharactersAndLinesAsJqDoes() {
    assertEquals(
        "\"Invalid string: control characters from U+0000 through U+001F must be escaped at line 2,"
            + " column 1 (while parsing '\\\"\\n\\\"')\"",
        Expressions.value("try (\"\\\"\\n\\\"\" | fromjson) catch .", "null"));
    assertEquals(
        "\"Expected JSON value (while parsing '')\"",
        Expressions.value("try (\"\" | fromjson) catch .", "null"));
    assertEquals("[1]", Expressions.value("\"\ufeff\\n[1]\\t\" | fromjson", "null"));
  }

  @Test
  void shouldBoundNestingAndNumbersOfJsonByTheLimits() {
    EngineLimits limits = EngineLimits.defaults();
    int deep = limits.json().maxDepth();
    int digits = limits.json().maxNumberDigits();

    assertEquals("0", Expressions.value(nested(deep) + "flatten | length", "null"));
    ExpressionException tooDeep =
        assertThrows(
            ExpressionException.class, () -> Expressions.value(nested(deep + 1) + ".", "null"));
    String told = String.valueOf(tooDeep.getMessage());
    assertTrue(told.startsWith("Exceeds depth limit for parsing at line 1"), told);
    assertTrue(told.contains("json.maxDepth"), told);
    assertEquals("1", Expressions.value("\"0\" * " + (digits - 1) + " + \"1\" | fromjson", "null"));
    assertTrue(
        Expressions.value("try (\"0\" * " + digits + " + \"1\" | fromjson) catch .", "null")
            .contains("json.maxNumberDigits"));
  }

  private static String nested(int depth) {
    return "(\"[\" * " + depth + " + \"]\" * " + depth + " | fromjson) | ";
  }
}

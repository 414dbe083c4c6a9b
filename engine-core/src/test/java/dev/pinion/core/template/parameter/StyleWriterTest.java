package dev.pinion.core.template.parameter;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.template.UriSyntax;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values in the styles of parameters, by the examples of OpenAPI 3.1.1 ("Style Examples"). */
class StyleWriterTest {
  private static final String ARRAY = "[\"blue\",\"black\",\"brown\"]";
  private static final String OBJECT = "{\"R\":100,\"G\":200,\"B\":150}";

  private static StyleWriter writer(ParameterStyle style, boolean explode, Budget budget) {
    return new StyleWriter(
        new StyledParameter("color", style, explode, false), UriSyntax::encode, " (/x)", budget);
  }

  private static JsonNode value(String text) {
    return json(text.replace("ARRAY", ARRAY).replace("OBJECT", OBJECT)).json();
  }

  private static String pairs(ParameterStyle style, boolean explode, String value) {
    return writer(style, explode, budget()).pairs(value(value)).stream()
        .map(each -> each.name() + "=" + each.value())
        .collect(Collectors.joining("&"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          SIMPLE ~ false ~ "blue" ~ blue
          SIMPLE ~ false ~ ARRAY  ~ blue,black,brown
          SIMPLE ~ false ~ OBJECT ~ R,100,G,200,B,150
          SIMPLE ~ true  ~ ARRAY  ~ blue,black,brown
          SIMPLE ~ true  ~ OBJECT ~ R=100,G=200,B=150
          SIMPLE ~ false ~ "a/b,c" ~ a%2Fb%2Cc
          SIMPLE ~ false ~ 1.5    ~ 1.5
          SIMPLE ~ false ~ 20     ~ 20
          SIMPLE ~ false ~ true   ~ true
          SIMPLE ~ false ~ ["a",null,"b"] ~ a,b
          LABEL  ~ false ~ ""     ~ .
          LABEL  ~ false ~ "blue" ~ .blue
          LABEL  ~ false ~ ARRAY  ~ .blue,black,brown
          LABEL  ~ false ~ OBJECT ~ .R,100,G,200,B,150
          LABEL  ~ true  ~ ARRAY  ~ .blue.black.brown
          LABEL  ~ true  ~ OBJECT ~ .R=100.G=200.B=150
          MATRIX ~ false ~ ""     ~ ;color
          MATRIX ~ false ~ "blue" ~ ;color=blue
          MATRIX ~ false ~ ARRAY  ~ ;color=blue,black,brown
          MATRIX ~ false ~ OBJECT ~ ;color=R,100,G,200,B,150
          MATRIX ~ true  ~ ARRAY  ~ ;color=blue;color=black;color=brown
          MATRIX ~ true  ~ OBJECT ~ ;R=100;G=200;B=150
          SPACE_DELIMITED ~ false ~ ARRAY ~ blue%20black%20brown
          JSON   ~ false ~ ["a"]  ~ %5B%22a%22%5D
          """)
  void shouldWriteTexts(ParameterStyle style, boolean explode, String value, String expected) {
    assertEquals(expected, writer(style, explode, budget()).text(value(value)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          FORM ~ true  ~ ""     ~ color=
          FORM ~ true  ~ "blue" ~ color=blue
          FORM ~ true  ~ ARRAY  ~ color=blue&color=black&color=brown
          FORM ~ true  ~ OBJECT ~ R=100&G=200&B=150
          FORM ~ false ~ ARRAY  ~ color=blue,black,brown
          FORM ~ false ~ OBJECT ~ color=R,100,G,200,B,150
          FORM ~ false ~ ["a,b","c&d"] ~ color=a%2Cb,c%26d
          FORM ~ true  ~ {"a b":null,"c d":"e f"} ~ c%20d=e%20f
          SPACE_DELIMITED ~ false ~ ARRAY  ~ color=blue%20black%20brown
          SPACE_DELIMITED ~ false ~ OBJECT ~ color=R%20100%20G%20200%20B%20150
          SPACE_DELIMITED ~ true  ~ ARRAY  ~ color=blue&color=black&color=brown
          PIPE_DELIMITED  ~ false ~ ARRAY  ~ color=blue%7Cblack%7Cbrown
          PIPE_DELIMITED  ~ false ~ "blue" ~ color=blue
          TAB_DELIMITED   ~ false ~ ARRAY  ~ color=blue%09black%09brown
          DEEP_OBJECT ~ true ~ OBJECT ~ color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150
          DEEP_OBJECT ~ true ~ {"a":{"b":1},"c":[1,2],"d":null} ~ color%5Ba%5D%5Bb%5D=1&color%5Bc%5D=1&color%5Bc%5D=2
          JSON ~ false ~ {"a":[1]} ~ color=%7B%22a%22%3A%5B1%5D%7D
          """)
  void shouldWritePairs(ParameterStyle style, boolean explode, String value, String expected) {
    assertEquals(expected, pairs(style, explode, value));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          FORM   ~ null          ~ true
          FORM   ~ []            ~ true
          FORM   ~ [null]        ~ true
          FORM   ~ {}            ~ true
          FORM   ~ {"a":null}    ~ true
          FORM   ~ ""            ~ false
          FORM   ~ false         ~ false
          FORM   ~ [0]           ~ false
          JSON   ~ null          ~ true
          JSON   ~ []            ~ false
          """)
  void shouldKnowWhatHasNoText(ParameterStyle style, String value, boolean undefined) {
    assertEquals(undefined, StyleWriter.isUndefined(value(value), style));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          FORM        ~ [[1]]       ~ expected strings, numbers and booleans in the value of the parameter "color", found array ([1]); tojson makes a string of it (/x)
          FORM        ~ {"a":{}}    ~ expected strings, numbers and booleans in the value of the parameter "color", found object ({}); tojson makes a string of it (/x)
          DEEP_OBJECT ~ [1]         ~ expected an object as value of the parameter "color" (style deepObject), found array ([1]) (/x)
          DEEP_OBJECT ~ {"a":[[1]]} ~ expected strings, numbers and booleans in the value of the parameter "color", found array ([1]); tojson makes a string of it (/x)
          """)
  void shouldRefuseValuesWithoutAForm(ParameterStyle style, String value, String expected) {
    ExpressionException refused =
        assertThrows(ExpressionException.class, () -> pairs(style, true, value));

    assertEquals(expected, refused.getMessage());
  }

  @Test
  void shouldChargeForWhatItWrites() {
    String value = "[" + "1,".repeat(100) + "1]";

    assertThrows(
        BudgetExceededException.class,
        () -> writer(ParameterStyle.FORM, false, new Budget(100)).pairs(value(value)));
  }
}

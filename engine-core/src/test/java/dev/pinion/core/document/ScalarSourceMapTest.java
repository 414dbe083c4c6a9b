package dev.pinion.core.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.limits.EngineLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarSourceMapTest {
  private static Position find(String text, String part, String mediaType)
      throws DocumentSyntaxException {
    SourceNode root = new DocumentReader(EngineLimits.defaults()).read(text, mediaType);
    Scalar scalar = (Scalar) DocumentValue.root(root).members().getFirst().node();
    int index = scalar.json().asText().indexOf(part);
    return new SourceText(text).at(ScalarSourceMap.offset(text, scalar, index));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: .x + !y",
        "a: '.x + !y'",
        "a: 'it''s !y'",
        "a: \".x + !y\"",
        "a: \"\\\"\\u0041\\x41\\U0001F600\\n\\t !y\"",
        "a: 'spread\n   over !y'",
        "a: plain\n   over !y",
        "a: \"spread \\\n   over !y\"",
        "a: |\n  one\n    !y\n",
        "a: >-\n  one\n  two\n\n  three !y\n",
        "a: |2-\n    !y\n",
        "a: \uD83D\uDE00 !y"
      })
  void shouldFindACharacterWhereItIsWritten(String text) throws DocumentSyntaxException {
    assertEquals(new SourceText(text).at(text.indexOf('!')), find(text, "!y", DocumentReader.YAML));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\": \".x !y\"}", "{\"a\": \"\\ud83d\\ude00\\/\\n\\u0020\\u0021y\"}"})
  void shouldFindACharacterOfJson(String text) throws DocumentSyntaxException {
    int expected = Math.max(text.indexOf('!'), text.indexOf("\\u0021"));
    assertEquals(new SourceText(text).at(expected), find(text, "!y", DocumentReader.JSON));
  }

  @Test
  void shouldFindTheEndOfAValue() throws DocumentSyntaxException {
    String text = "a: .x + \n";
    Scalar scalar =
        (Scalar)
            DocumentValue.root(
                    new DocumentReader(EngineLimits.defaults()).read(text, DocumentReader.YAML))
                .members()
                .getFirst()
                .node();

    assertEquals(7, ScalarSourceMap.offset(text, scalar, 4));
    assertEquals(7, ScalarSourceMap.offset(text, scalar, 99));
  }
}

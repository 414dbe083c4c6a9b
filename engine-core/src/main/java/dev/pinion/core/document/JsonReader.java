package dev.pinion.core.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.codec.JsonNumbers;
import dev.pinion.core.document.SourceNode.Form;
import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.JsonLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON document (RFC 8259) strictly: nothing after it, and each key of an object once.
 */
final class JsonReader {
  private final String text;
  private final JsonLimits limits;
  private final SourceTreeBuilder tree;

  JsonReader(String text, EngineLimits limits) {
    this.text = text;
    this.limits = limits.json();
    this.tree = new SourceTreeBuilder(limits);
  }

  /** The document's value, or null when the text is blank. */
  @Nullable SourceNode read() throws DocumentSyntaxException {
    try (JsonParser tokens = factory().createParser(text)) {
      while (tokens.nextToken() != null) {
        accept(tokens);
      }
      return tree.root();
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new DocumentSyntaxException(
          at == null ? 0 : (int) at.getCharOffset(),
          "expected JSON, found: " + JsonNumbers.describe(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                // One more than ours, so that the tree reports first and names the limit.
                .maxNestingDepth(limits.maxDepth() + 1)
                .maxNumberLength(limits.maxNumberDigits())
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build())
        .build();
  }

  private void accept(JsonParser tokens) throws IOException, DocumentSyntaxException {
    int offset = (int) tokens.currentTokenLocation().getCharOffset();
    JsonToken token = tokens.currentToken();
    if (tree.root() != null) {
      throw new DocumentSyntaxException(
          offset, "expected the end of the document, found another value");
    }
    switch (token) {
      case START_OBJECT -> tree.startMapping(offset);
      case START_ARRAY -> tree.startSequence(offset);
      case END_OBJECT, END_ARRAY -> tree.end();
      case FIELD_NAME -> tree.key(tokens.currentName(), offset);
      default -> tree.add(new Scalar(scalar(tokens, token), offset, form(token)));
    }
  }

  private static Form form(JsonToken token) {
    return token == JsonToken.VALUE_STRING ? Form.DOUBLE_QUOTED : Form.PLAIN;
  }

  private static JsonNode scalar(JsonParser tokens, JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> TextNode.valueOf(tokens.getText());
      case VALUE_NUMBER_INT -> YamlCoreSchema.integer(tokens.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> YamlCoreSchema.decimal(Double.parseDouble(tokens.getText()));
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      default -> NullNode.getInstance();
    };
  }
}

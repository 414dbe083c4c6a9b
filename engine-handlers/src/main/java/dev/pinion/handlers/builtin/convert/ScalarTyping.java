package dev.pinion.handlers.builtin.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.handlers.builtin.security.FieldCipher;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Conversion of texts from formats without other types. */
enum ScalarTyping {
  /** They stay texts. */
  TEXT,
  /** Texts in the JSON form of numbers and booleans become these. */
  INFER;

  /** Longer numbers stay texts: they are more likely ids than numbers. */
  static final int MAX_DIGITS = 18;

  private static final Pattern NUMBER =
      Pattern.compile(
          "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1," + MAX_DIGITS + "})?([eE][+-]?[0-9]{1,2})?");

  JsonNode value(String text) {
    if (this == INFER) {
      if (text.equals("true") || text.equals("false")) {
        return BooleanNode.valueOf(text.equals("true"));
      }
      if (NUMBER.matcher(text).matches()) {
        return number(text);
      }
    }
    return TextNode.valueOf(text);
  }

  private static JsonNode number(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      return FieldCipher.CODEC.read(bytes, 0, bytes.length).json();
    } catch (PayloadSyntaxException e) {
      return TextNode.valueOf(text);
    }
  }
}

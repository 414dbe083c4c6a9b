package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.Charset;

/** Texts as they are, and numbers and booleans as text. */
record PlainTextEncoding() implements BodyEncoding {
  @Override
  public EncodedBody encode(JsonNode value, MediaType mediaType) throws InvalidBodyException {
    if (!value.isValueNode() || value.isNull()) {
      throw BodyProblem.expected("a string, number, boolean or {base64: ...}", mediaType, value);
    }
    return text(value.isTextual() ? value.textValue() : value.toString(), mediaType);
  }

  /** A text in the charset that its type names. */
  static EncodedBody text(String text, MediaType mediaType) throws InvalidBodyException {
    Charset charset = CharsetParameter.toWrite(mediaType);
    CharsetParameter.requireCharacters(text, charset);
    return new EncodedBody(mediaType.text(), text.getBytes(charset));
  }
}

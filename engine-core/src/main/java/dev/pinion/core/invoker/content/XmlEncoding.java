package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.xml.XmlException;
import dev.pinion.core.xml.XmlForm;
import dev.pinion.core.xml.XmlWriter;
import java.nio.charset.Charset;

/**
 * XML of objects, by {@link XmlForm}.
 *
 * @param maxBytes most bytes of a document
 */
record XmlEncoding(int maxBytes) implements BodyEncoding {
  @Override
  public EncodedBody encode(JsonNode value, MediaType mediaType) throws InvalidBodyException {
    if (!value.isObject()) {
      throw BodyProblem.expected("a string or an object", mediaType, value);
    }
    Charset charset = CharsetParameter.toWrite(mediaType);
    byte[] bytes;
    try {
      bytes = XmlWriter.write(value, charset, maxBytes).getBytes(charset);
    } catch (XmlException e) {
      throw new InvalidBodyException(
          "a body of type " + mediaType.essence() + " cannot be written: " + e.problem());
    }
    if (bytes.length > maxBytes) {
      throw BodyProblem.tooLong("XML", maxBytes);
    }
    return new EncodedBody(mediaType.text(), bytes);
  }
}

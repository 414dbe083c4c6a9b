package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * URL-encoded forms of objects (WHATWG URL, section 5.2): an array repeats its name, null is left
 * out.
 *
 * @param maxBytes most bytes of a form, since an array repeats the longest name
 */
record FormEncoding(int maxBytes) implements BodyEncoding {
  @Override
  public EncodedBody encode(JsonNode value, MediaType mediaType) throws InvalidBodyException {
    if (!isForm(value)) {
      throw BodyProblem.expected("an object of scalars or a string", mediaType, value);
    }
    Charset named = CharsetParameter.toWrite(mediaType);
    CharsetParameter.requireCharacters(value.toString(), named);
    String form = form(value, escapedCharset(named));
    return new EncodedBody(mediaType.text(), form.getBytes(StandardCharsets.US_ASCII));
  }

  /** Charset by the output encoding of WHATWG Encoding, section 4.3: UTF-8 instead of UTF-16. */
  private static Charset escapedCharset(Charset named) {
    return named.name().startsWith("UTF-") ? StandardCharsets.UTF_8 : named;
  }

  private static boolean isForm(JsonNode value) {
    if (!value.isObject()) {
      return false;
    }
    for (JsonNode member : value) {
      for (JsonNode item : member.isArray() ? member : List.of(member)) {
        if (item.isContainerNode()) {
          return false;
        }
      }
    }
    return true;
  }

  private String form(JsonNode object, Charset charset) throws InvalidBodyException {
    StringBuilder form = new StringBuilder();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = URLEncoder.encode(member.getKey(), charset);
      JsonNode value = member.getValue();
      for (JsonNode item : value.isArray() ? value : List.of(value)) {
        if (!item.isNull()) {
          form.append(form.isEmpty() ? "" : "&").append(name);
          form.append('=').append(URLEncoder.encode(plain(item), charset));
        }
        if (form.length() > maxBytes) {
          throw BodyProblem.tooLong("a form", maxBytes);
        }
      }
    }
    return form.toString();
  }

  private static String plain(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }
}

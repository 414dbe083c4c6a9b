package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts that an object describes.
 *
 * <pre>
 *   {"field": "text", "many": [1, 2], "none": null,
 *    "file": {"base64": "aGk=", "filename": "hi.bin", "contentType": "image/png"},
 *    "data": {"content": {"a": 1}, "contentType": "application/json"}}
 * </pre>
 *
 * <p>A member with a string, number or boolean is a field; an array repeats its name, null is left
 * out. An object is a part of its own: either {@code content}, encoded as a body of its {@code
 * contentType} would be, or {@code base64}.
 */
final class FormParts {
  private static final String CONTENT = "content";
  private static final String FILE_NAME = "filename";
  private static final String CONTENT_TYPE = "contentType";
  private static final Set<String> MEMBERS =
      Set.of(CONTENT, Base64Bytes.MEMBER, FILE_NAME, CONTENT_TYPE);

  private final int maxBytes;
  private final ContentEncoding contents;
  private final List<FormPart> parts = new ArrayList<>();
  private long bytes;

  /** Encoding of the content of a part. */
  interface ContentEncoding {
    byte[] encode(JsonNode value, MediaType mediaType) throws InvalidBodyException;
  }

  /**
   * No parts yet.
   *
   * @param maxBytes most bytes of all parts
   */
  FormParts(int maxBytes, ContentEncoding contents) {
    this.maxBytes = maxBytes;
    this.contents = contents;
  }

  /** The parts of an object. */
  List<FormPart> of(JsonNode object) throws InvalidBodyException {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      JsonNode value = member.getValue();
      for (JsonNode item : value.isArray() ? value : List.of(value)) {
        if (!item.isNull()) {
          add(part(member.getKey(), item));
        }
      }
    }
    return parts;
  }

  private void add(FormPart part) throws InvalidBodyException {
    bytes += part.head().length + part.content().length;
    if (bytes > maxBytes) {
      throw BodyProblem.tooLong("parts", maxBytes);
    }
    parts.add(part);
  }

  private FormPart part(String name, JsonNode value) throws InvalidBodyException {
    if (value.isArray()) {
      throw new InvalidBodyException(
          "expected a string, number, boolean or object as item of the part \""
              + BodyProblem.shown(name)
              + "\", found an array");
    }
    return value.isObject()
        ? described(name, value)
        : FormPart.of(name, null, null, plain(value).getBytes(StandardCharsets.UTF_8));
  }

  private FormPart described(String name, JsonNode part) throws InvalidBodyException {
    requireMembers(name, part);
    String filename = text(name, part, FILE_NAME);
    String contentType = contentType(name, part);
    if (part.has(Base64Bytes.MEMBER)) {
      String base64 = text(name, part, Base64Bytes.MEMBER);
      return FormPart.of(
          name,
          filename,
          contentType == null ? "application/octet-stream" : contentType,
          Base64Bytes.decode(base64 == null ? "" : base64));
    }
    JsonNode content = part.path(CONTENT);
    String type = contentType == null ? usualType(content, filename) : contentType;
    byte[] encoded =
        type == null
            ? plain(content).getBytes(StandardCharsets.UTF_8)
            : contents.encode(content, MediaType.of(type));
    return FormPart.of(name, filename, type, encoded);
  }

  private static void requireMembers(String name, JsonNode part) throws InvalidBodyException {
    if (part.has(CONTENT) == part.has(Base64Bytes.MEMBER)) {
      throw new InvalidBodyException(
          "expected either \"content\" or \"base64\" in the part \""
              + BodyProblem.shown(name)
              + "\", found "
              + (part.has(CONTENT) ? "both" : BodyProblem.kind(part)));
    }
    for (Map.Entry<String, JsonNode> member : part.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw new InvalidBodyException(
            "expected one of content, base64, filename, contentType in the part \""
                + BodyProblem.shown(name)
                + "\", found \""
                + BodyProblem.shown(member.getKey())
                + "\"");
      }
    }
  }

  /** Media type of a content that names none: JSON of what is no text; null for a plain field. */
  private static @Nullable String usualType(JsonNode content, @Nullable String filename) {
    if (content.isContainerNode() || content.isNull()) {
      return MediaType.JSON;
    }
    return filename == null ? null : "text/plain; charset=utf-8";
  }

  private static @Nullable String contentType(String name, JsonNode part)
      throws InvalidBodyException {
    String type = text(name, part, CONTENT_TYPE);
    if (type != null && !isValid(type)) {
      throw new InvalidBodyException(
          "expected a media type as \"contentType\" of the part \""
              + BodyProblem.shown(name)
              + "\", found \""
              + BodyProblem.shown(type)
              + "\"");
    }
    return type;
  }

  private static boolean isValid(String type) {
    return MediaType.of(type).isValid() && type.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static @Nullable String text(String name, JsonNode part, String member)
      throws InvalidBodyException {
    JsonNode value = part.path(member);
    if (value.isTextual() || value.isMissingNode()) {
      return value.textValue();
    }
    throw new InvalidBodyException(
        "expected a string as \""
            + member
            + "\" of the part \""
            + BodyProblem.shown(name)
            + "\", found "
            + BodyProblem.kind(value));
  }

  private static String plain(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }
}

package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code multipart/form-data} of objects (RFC 7578); see {@link FormParts}. The boundary follows
 * from the content, so a repeated call sends the same bytes.
 *
 * @param maxBytes most bytes of a body, since an array repeats the longest name
 * @param contents encoding of the content of a part
 */
record MultipartEncoding(int maxBytes, FormParts.ContentEncoding contents) implements BodyEncoding {
  private static final byte[] LINE = {'\r', '\n'};

  @Override
  public EncodedBody encode(JsonNode value, MediaType mediaType) throws InvalidBodyException {
    if (!value.isObject()) {
      throw BodyProblem.expected("an object or a string", mediaType, value);
    }
    List<FormPart> parts = new FormParts(maxBytes, contents).of(value);
    List<byte[]> pieces = new ArrayList<>(2 * parts.size());
    for (FormPart part : parts) {
      pieces.add(part.head());
      pieces.add(part.content());
    }
    String given = mediaType.parameter("boundary");
    String boundary = given == null ? Boundary.of(pieces) : checked(given, pieces);
    String contentType =
        given == null ? mediaType.text() + "; boundary=" + boundary : mediaType.text();
    return new EncodedBody(contentType, joined(parts, boundary));
  }

  private static String checked(String given, List<byte[]> pieces) throws InvalidBodyException {
    String problem = Boundary.problem(given, pieces);
    if (problem != null) {
      throw new InvalidBodyException(problem);
    }
    return given;
  }

  private byte[] joined(List<FormPart> parts, String boundary) throws InvalidBodyException {
    byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (FormPart part : parts) {
      out.writeBytes(delimiter);
      out.writeBytes(LINE);
      out.writeBytes(part.head());
      out.writeBytes(part.content());
      out.writeBytes(LINE);
      if (out.size() > maxBytes) {
        throw BodyProblem.tooLong("parts", maxBytes);
      }
    }
    out.writeBytes(delimiter);
    out.writeBytes(new byte[] {'-', '-', '\r', '\n'});
    return out.toByteArray();
  }
}

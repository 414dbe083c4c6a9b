package dev.pinion.core.invoker.content;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.JsonLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.xml.XmlCharset;
import dev.pinion.core.xml.XmlException;
import dev.pinion.core.xml.XmlForm;
import dev.pinion.core.xml.XmlReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Values of the bodies of responses, by their media types: JSON as its value, a form as an object,
 * text and XML as a string, anything else in base 64. Belongs to one thread.
 */
public final class ResponseContent {
  private static final int SCRATCH_BYTES = 64 << 10;

  private final PayloadCodec codec;
  private final byte[] scratch = new byte[SCRATCH_BYTES];

  /** Made for the first XML: its parser takes time to load. */
  private @Nullable XmlReader xml;

  public ResponseContent(PayloadCodec codec) {
    this.codec = codec;
  }

  /**
   * The value of a body, null for an empty one.
   *
   * @param contentType value of the field Content-Type, or null
   * @param parsesXml whether XML becomes its JSON form, rather than a string
   * @throws PayloadSyntaxException when the body does not have the form of its type, or its value
   *     exceeds a limit
   */
  public Payload of(@Nullable String contentType, ByteBuf body, boolean parsesXml)
      throws PayloadSyntaxException {
    if (!body.isReadable()) {
      return Payload.NULL;
    }
    if (contentType == null) {
      return base64(body);
    }
    return MediaType.isJson(contentType)
        ? json(body)
        : of(MediaType.of(contentType), body, parsesXml);
  }

  private Payload of(MediaType mediaType, ByteBuf body, boolean parsesXml)
      throws PayloadSyntaxException {
    if (mediaType.isXml()) {
      return parsesXml ? parsed(mediaType, bytes(body)) : xmlText(mediaType, bytes(body));
    }
    if (mediaType.isText()) {
      return Payload.of(ResponseText.of(bytes(body), mediaType));
    }
    return mediaType.isForm() ? form(mediaType, body) : base64(body);
  }

  /** A body in base 64. */
  public static Payload base64(ByteBuf body) {
    return Payload.of(Base64.getEncoder().encodeToString(ByteBufUtil.getBytes(body)));
  }

  private Payload json(ByteBuf body) throws PayloadSyntaxException {
    int length = body.readableBytes();
    if (body.hasArray()) {
      return codec.readBounded(body.array(), body.arrayOffset() + body.readerIndex(), length);
    }
    byte[] bytes = length <= scratch.length ? scratch : new byte[length];
    body.getBytes(body.readerIndex(), bytes, 0, length);
    return codec.readBounded(bytes, 0, length);
  }

  private Payload form(MediaType mediaType, ByteBuf body) throws PayloadSyntaxException {
    Charset declared = ResponseText.declared(mediaType);
    Charset charset = declared == null ? StandardCharsets.UTF_8 : declared;
    return new FormReader(ByteBufUtil.getBytes(body), charset, codec.limits().maxHeapBytes())
        .read();
  }

  private static Payload xmlText(MediaType mediaType, ByteBuffer body)
      throws PayloadSyntaxException {
    try {
      return Payload.of(XmlCharset.of(body, ResponseText.declared(mediaType)).text(body));
    } catch (XmlException e) {
      throw new PayloadSyntaxException(e.problem());
    }
  }

  private Payload parsed(MediaType mediaType, ByteBuffer body) throws PayloadSyntaxException {
    JsonLimits limits = codec.limits();
    Payload value;
    try {
      value = reader().read(body, ResponseText.declared(mediaType));
    } catch (XmlException e) {
      throw new PayloadSyntaxException(e.problem());
    }
    if (!value.isWithin(Integer.MAX_VALUE, limits.maxDepth(), limits.maxHeapBytes())) {
      throw new PayloadSyntaxException(
          "expected XML whose JSON form is nested at most "
              + limits.maxDepth()
              + " deep (json.maxDepth) and takes at most "
              + limits.maxHeapBytes()
              + " bytes of the heap (json.maxHeapBytes), found another one");
    }
    return value;
  }

  private XmlReader reader() {
    XmlReader known = xml;
    if (known == null) {
      JsonLimits limits = codec.limits();
      known =
          new XmlReader(
              XmlForm.PLAIN,
              new XmlReader.XmlBounds(limits.maxDepth(), "json.maxDepth", limits.maxHeapBytes()));
      xml = known;
    }
    return known;
  }

  private static ByteBuffer bytes(ByteBuf body) {
    return body.nioBufferCount() == 1
        ? body.nioBuffer()
        : ByteBuffer.wrap(ByteBufUtil.getBytes(body));
  }
}

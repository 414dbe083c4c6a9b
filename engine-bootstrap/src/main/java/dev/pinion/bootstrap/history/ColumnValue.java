package dev.pinion.bootstrap.history;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Values as text for a column, up to a length; longer errors are truncated, of other longer values
 * only the length is stored. One row at a time, used by one thread.
 */
final class ColumnValue {
  private final PayloadCodec codec;
  private final int maxChars;
  private long omitted;

  /** The last written value: successive rows often share a value. */
  private @Nullable Payload last;

  private String lastText = "";

  ColumnValue(PayloadCodec codec, int maxChars) {
    this.codec = codec;
    this.maxChars = maxChars;
  }

  /** A value as JSON, or null when there is none or it is too long. */
  @Nullable String of(@Nullable Payload value) {
    if (value == null) {
      return null;
    }
    String text = text(value);
    if (text.length() > maxChars) {
      omitted += text.length();
      return null;
    }
    return text;
  }

  /**
   * A value that is too long for a text, compressed; null when it is not, or too long even for
   * that.
   *
   * @param maxBytes most bytes of its JSON
   */
  byte @Nullable [] compressed(@Nullable Payload value, int maxBytes) {
    if (value == null || text(value).length() <= maxChars) {
      return null;
    }
    byte[] json = lastText.getBytes(StandardCharsets.UTF_8);
    if (json.length > maxBytes) {
      return null;
    }
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(compressed)) {
      out.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  /** The value that {@link #compressed} wrote. */
  static Payload inflate(PayloadCodec codec, byte[] compressed) {
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(compressed))) {
      return codec.read(in);
    } catch (IOException | PayloadSyntaxException e) {
      throw new IllegalStateException("expected JSON in the history, found other bytes", e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // comparing equal values would read them as a whole
  private String text(Payload value) {
    if (value != last) {
      // ASCII where UTF-8 could not store it; characters that no database stores in a text are
      // escaped as well
      lastText = new String(codec.toExactBytes(value), StandardCharsets.UTF_8);
      last = value;
    }
    return lastText;
  }

  /** An error as JSON, truncated when it is too long; null if there is none, or no space at all. */
  @Nullable String of(@Nullable WorkflowError error) {
    if (error == null) {
      return null;
    }
    Payload whole = error.toPayload();
    int chars = text(whole).length();
    WorkflowError cut = chars <= maxChars ? null : error.cutTo(maxChars);
    if (cut == null) {
      return of(whole);
    }
    String text = text(cut.toPayload());
    omitted += chars - text.length();
    return text;
  }

  /** Number of characters left out since the last call. */
  long takeOmitted() {
    long taken = omitted;
    omitted = 0;
    return taken;
  }

  /** The value that {@link #of(Payload)} wrote. */
  static Payload read(PayloadCodec codec, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return codec.read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalStateException("expected JSON in the history, found other text", e);
    }
  }
}

package dev.pinion.core.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Content codings of HTTP (RFC 9110, section 8.4.1) that compress. */
public enum ContentCoding {
  /** RFC 1952, of one member or several. */
  GZIP,
  /** RFC 1950; input may also be RFC 1951 without a wrapper, which some senders use. */
  DEFLATE;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int BUFFER_BYTES = 8 << 10;

  /** The coding of a name, or null when it is unknown. */
  public static @Nullable ContentCoding named(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      default -> null;
    };
  }

  /** The name as fields of HTTP have it. */
  public String token() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Compresses.
   *
   * @param level from 1, the fastest, to 9, the smallest
   */
  public byte[] encode(byte[] plain, int level) {
    ByteArrayOutputStream coded = new ByteArrayOutputStream(plain.length / 4 + 64);
    Deflater deflater = new Deflater(level);
    try (OutputStream out =
        this == GZIP
            ? new LevelledGzip(coded, level)
            : new DeflaterOutputStream(coded, deflater, BUFFER_BYTES)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException("expected memory to take bytes, found it failing", e);
    } finally {
      deflater.end();
    }
    return coded.toByteArray();
  }

  /**
   * Decompresses; stops as soon as the output is too long.
   *
   * @param most the most plain bytes
   * @return the plain bytes, or null when they are more
   * @throws IOException when the bytes are malformed, cut off, or more follow the end
   */
  public byte @Nullable [] decode(byte[] coded, int most) throws IOException {
    Inflater inflater = new Inflater(this == DEFLATE && !hasZlibHeader(coded));
    try (InputStream in = this == GZIP ? new WholeGzip(coded) : new WholeDeflate(coded, inflater)) {
      byte[] plain = in.readNBytes(most);
      return in.read() < 0 ? plain : null;
    } finally {
      inflater.end();
    }
  }

  private static boolean hasZlibHeader(byte[] coded) {
    return coded.length >= 2
        && (coded[0] & 0x0f) == Deflater.DEFLATED
        && (((coded[0] & 0xff) << 8) | (coded[1] & 0xff)) % 31 == 0;
  }

  private static final class LevelledGzip extends GZIPOutputStream {
    LevelledGzip(OutputStream out, int level) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(level);
    }
  }

  /** Refuses bytes after the last member, which the JDK's stream ignores. */
  private static final class WholeGzip extends GZIPInputStream {
    WholeGzip(byte[] coded) throws IOException {
      // All in one buffer, so that its rest is the rest of the body.
      super(new ByteArrayInputStream(coded), Math.max(1, coded.length));
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      if (read < 0 && inf.getRemaining() != GZIP_TRAILER_BYTES) {
        throw new ZipException("bytes behind the end");
      }
      return read;
    }
  }

  private static final class WholeDeflate extends InflaterInputStream {
    WholeDeflate(byte[] coded, Inflater inflater) {
      super(new ByteArrayInputStream(coded), inflater, Math.max(1, coded.length));
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      if (read < 0 && inf.getRemaining() != 0) {
        throw new ZipException("bytes behind the end");
      }
      return read;
    }
  }
}

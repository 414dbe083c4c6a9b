package dev.pinion.core.invoker.content;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Boundaries between parts (RFC 2046, section 5.1.1). */
final class Boundary {
  private static final String PREFIX = "pinion-";
  private static final int HASH_BYTES = 16;
  private static final Pattern VALID =
      Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

  private Boundary() {}

  /** A boundary that follows from the pieces of a body and occurs in none of them. */
  static String of(List<byte[]> pieces) {
    MessageDigest hash = sha256();
    pieces.forEach(hash::update);
    return unlike(pieces, named(hash.digest()), Boundary::next);
  }

  /** The first of some boundaries, each made from the one before, that occurs in no piece. */
  static String unlike(List<byte[]> pieces, String first, UnaryOperator<String> next) {
    String boundary = first;
    while (occurs(boundary, pieces)) {
      boundary = next.apply(boundary);
    }
    return boundary;
  }

  /** The problem of a boundary that a definition gives, or null when it has none. */
  static @Nullable String problem(String given, List<byte[]> pieces) {
    if (!VALID.matcher(given).matches()) {
      return "expected a boundary of 1 to 70 letters, digits and '()+_,-./:=? in Content-Type,"
          + " found \""
          + BodyProblem.shown(given)
          + "\"";
    }
    return occurs(given, pieces)
        ? "expected a boundary that occurs in no part, found \""
            + given
            + "\" in one; leave it out, and the engine makes one"
        : null;
  }

  private static boolean occurs(String boundary, List<byte[]> pieces) {
    byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.US_ASCII);
    for (byte[] piece : pieces) {
      if (ByteBufUtil.indexOf(Unpooled.wrappedBuffer(delimiter), Unpooled.wrappedBuffer(piece))
          >= 0) {
        return true;
      }
    }
    return false;
  }

  private static String next(String boundary) {
    return named(sha256().digest(boundary.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String named(byte[] hash) {
    return PREFIX + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every JDK has, found none", e);
    }
  }
}

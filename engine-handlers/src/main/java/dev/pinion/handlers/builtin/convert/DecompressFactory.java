package dev.pinion.handlers.builtin.convert;

import dev.pinion.core.codec.ContentCoding;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decompresses bodies, within bounds that stop decompression bombs; {@link CompressFactory} is the
 * other side of the pair.
 */
public final class DecompressFactory implements HandlerFactory {
  /** Size up to which the ratio is not checked: small bodies may well be very regular. */
  static final int FREE_BYTES = 64 << 10;

  /** The most nested codings. */
  static final int MAX_CODINGS = 3;

  /** For the service loader. */
  public DecompressFactory() {}

  @Override
  public String name() {
    return "decompress";
  }

  @Override
  public String summary() {
    return "Decompresses bodies (gzip, deflate) up to a size and a ratio.";
  }

  @Override
  public Handler create(Settings settings) {
    return new Decompress(
        settings.integer("maxBytes", 16 << 20, 1, 1 << 30),
        settings.integer("maxRatio", 100, 1, 1_100));
  }

  private record Decompress(int maxBytes, int maxRatio) implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(DecompressFactory.class);

    @Override
    public Declaration declaration() {
      return ContentCodingFields.declaration(Peer.Role.TAKES_BACK).stopping();
    }

    @Override
    public Verdict handle(View message) {
      String field = message.property(ContentCodingFields.CODING, "").strip();
      if (field.isEmpty() || field.equalsIgnoreCase("identity")) {
        return Verdict.UNCHANGED;
      }
      String[] names = field.split(",", MAX_CODINGS + 2);
      if (names.length > MAX_CODINGS) {
        return HandlerProblem.BAD_CODING.refuse(
            "expected at most " + MAX_CODINGS + " content codings, found more");
      }
      return decoded(message, names);
    }

    /** Removes codings: the field lists the one applied last at its end. */
    private Verdict decoded(View message, String[] names) {
      byte[] bytes = message.bytes();
      int most = (int) Math.min(maxBytes, Math.max(FREE_BYTES, (long) maxRatio * bytes.length));
      for (int i = names.length - 1; i >= 0; i--) {
        ContentCoding contentCoding = ContentCoding.named(names[i]);
        if (contentCoding == null) {
          return unknown(names[i].strip());
        }
        byte @Nullable [] plain;
        try {
          plain = contentCoding.decode(bytes, most);
        } catch (IOException e) {
          LOG.debug("the body of the message {} is refused", message.id(), e);
          return HandlerProblem.BAD_CODING.refuse(
              "expected a whole body of coding " + contentCoding.token() + ", found another one");
        }
        if (plain == null) {
          return tooLarge();
        }
        bytes = plain;
      }
      Changes changes = Changes.NONE.body(Body.of(bytes, message.body().mediaType()));
      return Verdict.goOn(
          ContentCodingFields.changed(message, changes)
              .withoutProperty(ContentCodingFields.CODING));
    }

    private static Verdict unknown(String name) {
      return HandlerProblem.UNKNOWN_CODING.refuse(
          "expected a body of coding gzip or deflate, found \"" + name + "\"",
          "accept-encoding",
          "gzip, deflate");
    }

    private Verdict tooLarge() {
      return HandlerProblem.TOO_LARGE.refuse(
          "expected a body that decompresses to at most "
              + maxBytes
              + " B, and "
              + maxRatio
              + " times its size beyond "
              + FREE_BYTES
              + " B; found a larger one");
    }
  }
}

package dev.pinion.handlers.builtin.security;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import javax.crypto.SecretKey;

/**
 * Accepts messages whose signature is valid, recent and not seen before; {@link HmacSignFactory} is
 * the other side of the pair.
 */
public final class HmacVerifyFactory implements HandlerFactory {
  private final Clock clock;

  /** For the service loader. */
  public HmacVerifyFactory() {
    this(Clock.system());
  }

  HmacVerifyFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "hmac-verify";
  }

  @Override
  public String summary() {
    return "Lets messages through whose HMAC-SHA-256 signature fits, is recent and new.";
  }

  @Override
  public Handler create(Settings settings) {
    Duration window = settings.duration("window", Duration.ofMinutes(5), Duration.ofHours(1));
    int maxSeen = settings.integer("maxRemembered", 100_000, 1, 10_000_000);
    return new Verify(
        HmacSettings.of(settings),
        window.toMillis(),
        new ReplayCache(2 * window.toMillis(), maxSeen),
        clock);
  }

  private record Verify(HmacSettings terms, long windowMillis, ReplayCache seen, Clock clock)
      implements Handler {
    @Override
    public Declaration declaration() {
      return terms
          .declaration(Peer.Role.TAKES_BACK)
          .reading(Slot.property(terms.property()))
          .with(EffectClass.ATOMIC)
          .stopping();
    }

    @Override
    public Verdict handle(View message) {
      String field = message.property(terms.property());
      HmacSignature given = field == null ? null : HmacSignature.parse(field);
      if (given == null) {
        return refusal(field == null ? "none" : "a malformed one");
      }
      long now = clock.epochMillis();
      if (Math.abs(now - given.seconds() * 1000) > windowMillis) {
        return refusal("one of another time, or clocks that differ by more than that");
      }
      SecretKey key = terms.keys().content().key(given.keyId());
      if (key == null) {
        return refusal("one by an unknown key");
      }
      HmacSignature expected =
          HmacSignature.of(message, terms.covered(), given.seconds(), given.keyId(), key);
      return MessageDigest.isEqual(ascii(expected.hex()), ascii(given.hex()))
          ? once(given, now)
          : refusal("one that does not fit the message");
    }

    /** Records only valid signatures, so that no one else can fill the memory. */
    private Verdict once(HmacSignature given, long now) {
      return switch (seen.add(given.hex(), now)) {
        case NEW -> Verdict.UNCHANGED;
        case SEEN -> refusal("one that was used before");
        case FULL ->
            HandlerProblem.OVERLOADED.refuse(
                "expected room among the signatures of the window, found none; try again later",
                "retry-after",
                Long.toString(Math.max(1, windowMillis / 1000)));
      };
    }

    private Verdict refusal(String found) {
      return HandlerProblem.BAD_SIGNATURE.refuse(
          "expected a signature t=SECONDS,k=KEY,v1=HEX of the last "
              + Duration.ofMillis(windowMillis)
              + " in "
              + terms.property()
              + ", found "
              + found);
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
      terms.keys().close();
    }
  }
}

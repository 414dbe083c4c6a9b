package dev.pinion.handlers.builtin.security;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Peer;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;

/** Signs messages with HMAC-SHA-256; {@link HmacVerifyFactory} is the other side of the pair. */
public final class HmacSignFactory implements HandlerFactory {
  private final Clock clock;

  /** For the service loader. */
  public HmacSignFactory() {
    this(Clock.system());
  }

  HmacSignFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "hmac-sign";
  }

  @Override
  public String summary() {
    return "Signs the body and chosen properties with HMAC-SHA-256 and a time stamp.";
  }

  @Override
  public Handler create(Settings settings) {
    return new Sign(HmacSettings.of(settings), clock);
  }

  private record Sign(HmacSettings terms, Clock clock) implements Handler {
    @Override
    public Declaration declaration() {
      return terms.declaration(Peer.Role.DOES).writing(Slot.property(terms.property()));
    }

    @Override
    public Verdict handle(View message) {
      KeyRing keys = terms.keys().content();
      long seconds = Math.floorDiv(clock.epochMillis(), 1000L);
      HmacSignature signature =
          HmacSignature.of(message, terms.covered(), seconds, keys.active(), keys.activeKey());
      return Verdict.goOn(Changes.NONE.property(terms.property(), signature.toString()));
    }

    @Override
    public void close() {
      terms.keys().close();
    }
  }
}

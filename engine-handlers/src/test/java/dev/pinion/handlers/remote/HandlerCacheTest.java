package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HandlerCacheTest {
  private final List<String> closed = new ArrayList<>();
  private final HandlerCache handlers =
      new HandlerCache(
          Map.of("named", new Named()),
          RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.hostHandlers", 2)).limits());

  private HandlerCache.CachedHandler use(String name) throws Exception {
    return handlers.use("named", Payload.object(Map.of("name", Payload.of(name))));
  }

  @Test
  void shouldCloseTheOneThatWasIdleForLongestBeyondTheMost() throws Exception {
    HandlerCache.CachedHandler first = use("first");
    handlers.release(first);
    handlers.release(use("second"));
    assertSame(first.handler(), use("first").handler(), "used again, so not idle for longest");
    assertEquals(List.of(), closed, "at the bound");

    use("third");

    assertEquals(List.of("second"), closed);
  }

  @Test
  void shouldNotCloseWhatIsInUse() throws Exception {
    HandlerCache.CachedHandler first = use("first");
    use("second");
    HandlerCache.CachedHandler third = use("third");
    assertEquals(List.of(), closed, "all are in use");

    handlers.release(first);
    use("second");

    assertEquals(List.of("first"), closed);
    assertNotSame(first.handler(), third.handler());
  }

  private final class Named implements HandlerFactory {
    @Override
    public String name() {
      return "named";
    }

    @Override
    public String summary() {
      return "is closed aloud";
    }

    @Override
    public Handler create(Settings settings) {
      String name = settings.text("name");
      return new Handler() {
        @Override
        public Declaration declaration() {
          return Declaration.NOTHING;
        }

        @Override
        public Verdict handle(View message) {
          return Verdict.UNCHANGED;
        }

        @Override
        public void close() {
          closed.add(name);
        }
      };
    }
  }
}

package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.profile.recording.HotSpotWorkload;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.ChainDocuments;
import dev.pinion.handlers.ChainInterceptor;
import dev.pinion.handlers.ChainRegistry;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A chain of three handlers, of which one is slow. */
public final class SlowChain {
  private static final int STEPS = 3;

  private SlowChain() {}

  /** Some milliseconds of computing. */
  private static final class Sum implements HotSpotWorkload {
    @Override
    public void work() {
      double sum = 0;
      for (int i = 1; i < 1_000_000; i++) {
        sum += Math.sqrt(i);
      }
      if (Double.isNaN(sum)) { // so that no compiler removes the loop
        throw new IllegalStateException("expected a number");
      }
    }
  }

  private record Step(Consumer<HotSpotWorkload> accounted, Sum sum, boolean slow)
      implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING;
    }

    @Override
    public Verdict handle(View message) {
      if (slow) {
        accounted.accept(sum);
      }
      return Verdict.UNCHANGED;
    }
  }

  private record Kind(String name, Handler handler) implements HandlerFactory {
    @Override
    public String summary() {
      return name;
    }

    @Override
    public Handler create(Settings settings) {
      return handler;
    }
  }

  /**
   * The chain.
   *
   * @param slow index of its slow handler
   * @param accounted runs the work of the slow one
   */
  public static Interceptor chain(
      Path folder,
      InterceptionPoint point,
      String order,
      int slow,
      Consumer<HotSpotWorkload> accounted)
      throws IOException, InvalidChainsException {
    String steps =
        IntStream.range(0, STEPS)
            .mapToObj(i -> "{use: step" + i + "}")
            .collect(Collectors.joining(", "));
    String at = point.name().toLowerCase(Locale.ROOT).replace('_', '-');
    Path document = folder.resolve("chains.yaml");
    Files.writeString(
        document,
        "chains: [{name: planted, at: %s, order: %s, handlers: [%s]}]".formatted(at, order, steps));
    List<HandlerFactory> kinds =
        IntStream.range(0, STEPS)
            .<HandlerFactory>mapToObj(
                i -> new Kind("step" + i, new Step(accounted, new Sum(), i == slow)))
            .toList();
    EngineLimits limits = EngineLimits.defaults();
    WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), Clock.system());
    return new ChainInterceptor(
        new ChainRegistry(new ChainReader(HandlerKinds.of(kinds), limits, null), pool, limits),
        new ChainDocuments(document, limits.handlers().maxDocumentBytes()),
        new PayloadCodec(limits.json()),
        List.of(pool),
        List::of);
  }
}

package dev.pinion.core.engine;

import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of the event loops of an engine that warms up, before clients are admitted: each Invoker's
 * loop calls a Request Handler over a temporary loopback port, and each Request Handler is called.
 * So the first client finds the per-thread state made, such as Netty's buffers and its cached data
 * of handlers.
 *
 * <p>Only {@code /livez} is called, which reaches no instance, no other replica and no chain of
 * handlers, and the calls are not counted. A failure, or a pair of loops that takes longer than
 * {@link #PATIENCE}, does not keep an engine from starting. Used by the thread that starts the
 * engine.
 */
final class EventLoopWarmUp {
  /** Longest time for one pair of loops. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Calls of each kind: read buffers have found their size after a few. */
  static final int ROUNDS = 4;

  /** Largest size class of which a buffer is allocated; in bytes. */
  private static final int LARGEST_BUFFER = 4 << 10;

  private static final int SMALLEST_BUFFER = 32;
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopWarmUp.class);

  private final List<StageLoop> requestLoops;
  private final List<StageLoop> invokerLoops;
  private final Function<StageLoop, ServiceCaller> callers;
  private final Duration patience;

  /**
   * A warm-up.
   *
   * @param requestLoops loops of the Request Handlers
   * @param invokerLoops loops of the Invokers, which may be the same
   * @param callers makes the caller of a loop, separate from the Invoker's
   * @param patience longest time for one pair of loops
   */
  EventLoopWarmUp(
      List<StageLoop> requestLoops,
      List<StageLoop> invokerLoops,
      Function<StageLoop, ServiceCaller> callers,
      Duration patience) {
    this.requestLoops = requestLoops;
    this.invokerLoops = invokerLoops;
    this.callers = callers;
    this.patience = patience;
  }

  /**
   * Lets every loop do its part.
   *
   * @param listenerFactory where Request Handlers are called
   * @return number of successful calls of {@code GET /livez}, {@value #ROUNDS} for each pair of
   *     loops when all succeed
   */
  int run(ListenerFactory listenerFactory) {
    int answered = 0;
    int pairs = Math.max(requestLoops.size(), invokerLoops.size());
    for (int i = 0; i < pairs; i++) {
      StageLoop request = requestLoops.get(i % requestLoops.size());
      StageLoop invoker = invokerLoops.get(i % invokerLoops.size());
      request.execute(EventLoopWarmUp::allocate);
      invoker.execute(EventLoopWarmUp::allocate);
      answered += call(listenerFactory, request, invoker);
    }
    return answered;
  }

  /** Opens listening sockets. */
  interface ListenerFactory {
    /**
     * Listens on a loopback port whose connections belong to a loop.
     *
     * @throws IOException when there is none
     */
    Channel open(EventLoop loop) throws IOException;
  }

  /** Each thread has separate memory for each size class, which its first buffer reserves. */
  private static void allocate() {
    for (int size = SMALLEST_BUFFER; size <= LARGEST_BUFFER; size *= 2) {
      allocate(size);
      allocate(size + size / 8); // Netty has classes a bit above each power of two
    }
  }

  private static void allocate(int size) {
    ByteBufAllocator.DEFAULT.directBuffer(size).release();
    ByteBufAllocator.DEFAULT.heapBuffer(size).release();
  }

  private int call(ListenerFactory listenerFactory, StageLoop request, StageLoop invoker) {
    Channel door;
    try {
      door = listenerFactory.open(request);
    } catch (IOException e) {
      LOG.warn("no warm-up of the event loops before clients are admitted: {}", e.getMessage());
      return 0;
    }
    WarmUpCalls warmUpCalls =
        new WarmUpCalls(invoker, ((InetSocketAddress) door.localAddress()).getPort());
    int answered = 0;
    try {
      answered = warmUpCalls.made.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info(
          "the warm-up of the event loops before clients are admitted had not ended after {}",
          patience);
    } catch (ExecutionException e) {
      LOG.warn("the warm-up of the event loops before clients are admitted ended early", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    invoker.execute(warmUpCalls::end);
    door.close().syncUninterruptibly();
    return answered;
  }

  /** Makes calls one after the other, all on one loop. */
  private final class WarmUpCalls implements ServiceCaller.CallListener {
    final CompletableFuture<Integer> made = new CompletableFuture<>();
    private final StageLoop loop;
    private final Queue<HttpCall> left = new ArrayDeque<>();
    private @Nullable ServiceCaller caller;
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private int answered;

    WarmUpCalls(StageLoop loop, int port) {
      this.loop = loop;
      String uri = "http://127.0.0.1:" + port + "/livez";
      Payload body = Payload.object(Collections.singletonMap("input", Payload.EMPTY_OBJECT));
      for (int round = 0; round < ROUNDS; round++) {
        left.add(call("GET", uri, null));
        left.add(call("POST", uri, body)); // has a body, and is answered 405
      }
      loop.execute(this::begin);
    }

    private static HttpCall call(String method, String uri, @Nullable Payload body) {
      List<HttpCall.HeaderField> headers = new ArrayList<>();
      if (body != null) {
        headers.add(new HttpCall.HeaderField("content-type", "application/json"));
      }
      return new HttpCall(method, uri, headers, body, HttpCall.Output.CONTENT, false);
    }

    private void begin() {
      caller = callers.apply(loop);
      next();
    }

    private void next() {
      HttpCall call = left.poll();
      if (call == null || caller == null) {
        made.complete(answered);
      } else {
        ongoing = caller.call(call, this);
      }
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      answered += outcome instanceof CallOutcome.Succeeded ? 1 : 0;
      loop.execute(this::next);
    }

    private void end() {
      if (ongoing != null) {
        ongoing.cancel();
      }
      if (caller != null) {
        caller.onClose();
        caller = null;
      }
    }
  }
}

package dev.pinion.core.invoker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.http.ChannelTypes;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.invoker.http.HostResolver;
import dev.pinion.core.invoker.http.NettyServiceCaller;
import dev.pinion.core.invoker.http.ServiceCallerSettings;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Completion;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event.CallCompleted;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.TaskReference;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.stage.Lane;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An Invoker on a separate event loop, with time that moves by hand. An offer to its lane runs a
 * duty cycle. Closing it checks that nothing is left over.
 */
public final class InvokerHarness implements AutoCloseable {
  static final InstanceId INSTANCE = InstanceId.next(1, 0, null);
  static final int KERNEL = 3;
  static final TaskReference TASK =
      new TaskReference(new DefinitionKey("default", "caller", "1.0.0"), "/do/0/call");

  private final EventLoopGroup group;
  private final EventLoop loop;
  private final Lane<Effect.Invocation> lane = new Lane<>("invocations", 1 << 14);
  private final BlockingQueue<CallCompleted> done = new LinkedBlockingQueue<>();
  private final InvokerCounters counters = new InvokerCounters();
  private final NettyServiceCaller caller;
  private final Invoker invoker;
  private final AtomicBoolean heapHasRoom = new AtomicBoolean(true);
  private volatile ServiceCaller.@Nullable OngoingCall lastCall;
  private long nowNanos = 1_000;
  private int attempts;

  public InvokerHarness() {
    this(Map.of());
  }

  public InvokerHarness(Map<String, Integer> limits) {
    this(limits, null, null);
  }

  /** A rig with names of the test. */
  public InvokerHarness(Map<String, Integer> limits, HostResolver addresses) {
    this(limits, null, addresses);
  }

  /** A rig on epoll, where the system reports more about connections. */
  static InvokerHarness onEpoll(Map<String, Integer> limits) {
    return new InvokerHarness(
        limits, null, null, EpollIoHandler.newFactory(), ChannelTypes.epoll());
  }

  public InvokerHarness(
      Map<String, Integer> limits, @Nullable Path trusted, @Nullable HostResolver addresses) {
    this(limits, trusted, addresses, NioIoHandler.newFactory(), ChannelTypes.nio());
  }

  public InvokerHarness(
      Map<String, Integer> limits,
      @Nullable Path trusted,
      @Nullable HostResolver addresses,
      IoHandlerFactory io,
      ChannelTypes channels) {
    EngineLimits all = EngineLimits.defaults().with(limits);
    this.group = new MultiThreadIoEventLoopGroup(1, io);
    this.loop = group.next();
    ServiceCallerSettings settings =
        new ServiceCallerSettings(
            all.invoker(),
            new PayloadCodec(all.json()),
            tls(trusted),
            channels,
            "pinion/test",
            heapHasRoom::get);
    this.caller =
        addresses == null
            ? new NettyServiceCaller(loop, settings, counters)
            : new NettyServiceCaller(loop, settings, counters, addresses);
    this.invoker =
        new Invoker(
            "invoker-0",
            all.invoker(),
            lane,
            CallTargets.of(recorded(caller)),
            this::offer,
            counters,
            CallDecorators.NONE);
    lane.attach(() -> loop.execute(() -> invoker.doWork(nowNanos, 0)));
  }

  private static ClientTls tls(@Nullable Path trusted) {
    try {
      return ClientTls.load(trusted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Wraps a caller and keeps the last call begun, so that a test can see its progress. */
  private ServiceCaller recorded(NettyServiceCaller real) {
    return new ServiceCaller() {
      @Override
      public OngoingCall call(HttpCall call, CallListener callListener) {
        OngoingCall ongoing = real.call(call, callListener);
        lastCall = ongoing;
        return ongoing;
      }

      @Override
      public void connectAhead(List<String> uris, Runnable settled) {
        real.connectAhead(uris, settled);
      }

      @Override
      public void beginCycle(long nowNanos) {
        real.beginCycle(nowNanos);
      }

      @Override
      public int doWork(long nowNanos) {
        return real.doWork(nowNanos);
      }

      @Override
      public boolean hasWork() {
        return real.hasWork();
      }

      @Override
      public long nextDeadlineNanos() {
        return real.nextDeadlineNanos();
      }

      @Override
      public void onClose() {
        real.onClose();
      }
    };
  }

  private boolean offer(int kernel, Completion told) {
    assertEquals(KERNEL, kernel);
    return done.add((CallCompleted) told);
  }

  public static HttpCall get(String uri) {
    return call("GET", uri, null);
  }

  static HttpCall call(String method, String uri, @Nullable Payload body) {
    return call(method, uri, List.of(), body, HttpCall.Output.CONTENT);
  }

  public static HttpCall call(
      String method,
      String uri,
      List<HttpCall.HeaderField> headers,
      @Nullable Payload body,
      HttpCall.Output output) {
    return new HttpCall(method, uri, headers, body, output, false);
  }

  /** Runs something on the event loop, then begins a call before the loop does any I/O. */
  void invokeAfter(HttpCall call, Callable<?> before) {
    onLoop(
        () -> {
          before.call();
          invoke(call);
          return invoker.doWork(nowNanos, 0);
        });
  }

  /** Sets whether the heap has room for responses; runs a cycle. */
  public void heapHasRoom(boolean room) {
    heapHasRoom.set(room);
  }

  /** Begins a call for a listener of the test, without the Invoker. */
  ServiceCaller.OngoingCall begin(HttpCall call, ServiceCaller.CallListener callListener) {
    return onLoop(() -> caller.call(call, callListener));
  }

  /** Begins a call and returns the number of its attempt. */
  public int invoke(HttpCall call) {
    int attempt = ++attempts;
    lane.offer(new Effect.Invoke(KERNEL, INSTANCE, 7, attempt, TASK, call));
    return attempt;
  }

  /** Opens connections ahead of calls and waits until each is open or has failed. */
  void connectAhead(String... uris) {
    AtomicBoolean settled = new AtomicBoolean();
    onLoop(
        () -> {
          invoker.connectAhead(List.of(uris), () -> settled.set(true));
          return 0;
        });
    await()
        .until(
            () -> {
              cycle();
              return settled.get();
            });
  }

  public void abort(int attempt) {
    lane.offer(new Effect.Abort(INSTANCE, 7, attempt));
  }

  /** The next reported outcome. */
  public CallCompleted next() {
    try {
      CallCompleted outcome = done.poll(20, SECONDS);
      if (outcome == null) {
        throw new AssertionError("expected an outcome within 20 s, found none");
      }
      return outcome;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a call and waits for the outcome. */
  CallOutcome outcome(HttpCall call) {
    int attempt = invoke(call);
    CallCompleted outcome = next();
    assertEquals(attempt, outcome.attempt());
    return outcome.outcome();
  }

  /** Makes a call and expects an acceptable response. */
  public Payload output(HttpCall call) {
    return outputOf(outcome(call));
  }

  public static Payload outputOf(CallOutcome outcome) {
    if (outcome instanceof CallOutcome.Succeeded succeeded) {
      return succeeded.output();
    }
    throw new AssertionError("expected an answer, found " + outcome);
  }

  /** Makes a call and expects a failure. */
  public WorkflowError error(HttpCall call) {
    return errorOf(outcome(call));
  }

  public static WorkflowError errorOf(CallOutcome outcome) {
    if (outcome instanceof CallOutcome.Failed failed) {
      return failed.error();
    }
    throw new AssertionError("expected a failure, found " + outcome);
  }

  public int unreported() {
    return done.size();
  }

  /** Lets time pass. */
  public void advance(Duration time) {
    onLoop(
        () -> {
          invoker.doWork(nowNanos, 0);
          nowNanos += time.toNanos();
          return invoker.doWork(nowNanos, 0);
        });
  }

  /** Runs a duty cycle without letting time pass. */
  public void cycle() {
    advance(Duration.ZERO);
  }

  /** Description of what the last call waits for. */
  public String awaits() {
    return onLoop(() -> lastCall == null ? "" : lastCall.waitsFor());
  }

  public long count(Counter counter) {
    return counters.get(counter);
  }

  long untilDeadline() {
    return onLoop(() -> invoker.nextDeadlineNanos() - nowNanos);
  }

  boolean hasWork() {
    return onLoop(invoker::hasWork);
  }

  int services() {
    return onLoop(caller::services);
  }

  /** Closes the stage. */
  public void stop() {
    onLoop(
        () -> {
          invoker.onClose();
          return 0;
        });
  }

  public <T> T onLoop(Callable<T> task) {
    try {
      return loop.submit(task).get(20, SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      assertEquals(
          count(Counter.CALLS),
          count(Counter.ANSWERED) + count(Counter.FAILED) + count(Counter.ABORTED),
          "every call is reported once");
      assertEquals(0, count(Counter.CONNECTIONS), "no connection is left");
      assertEquals(0, count(Counter.WAITING), "no call waits");
      assertEquals(0, count(Counter.UNDELIVERED), "every outcome was delivered");
      assertEquals(0, services(), "no pool is left");
    } finally {
      group.shutdownGracefully(0, 5, SECONDS).syncUninterruptibly();
    }
  }
}

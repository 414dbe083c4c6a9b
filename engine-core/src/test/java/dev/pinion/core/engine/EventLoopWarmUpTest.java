package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work of event loops before clients are admitted. */
@Timeout(60)
class EventLoopWarmUpTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Transport TRANSPORT = Transport.nio();

  private final List<StageLoopGroup> groups = new ArrayList<>();
  private final List<EventLoop> doors = Collections.synchronizedList(new ArrayList<>());
  private final List<FakeCaller> callers = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void end() {
    for (StageLoopGroup group : groups) {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  @Test
  void shouldHaveEveryLoopTakePart() {
    // given
    List<StageLoop> request = loops("request", 2);
    List<StageLoop> invoker = loops("invoker", 3);

    // when
    int answered = warmUp(request, invoker, true, LONG).run(this::open);

    // then
    assertEquals(List.of(request.get(0), request.get(1), request.get(0)), doors);
    assertEquals(invoker, callers.stream().map(caller -> caller.loop).toList());
    assertEquals(answered, callers.stream().mapToInt(caller -> caller.calls.size()).sum());
    for (FakeCaller caller : callers) {
      List<String> methods = caller.calls.stream().map(HttpCall::method).distinct().toList();
      assertEquals(List.of("GET", "POST"), methods);
    }
  }

  @Test
  void shouldGiveUpOnWhatIsNotAnswered() {
    List<StageLoop> loops = loops("fused", 1);

    int answered = warmUp(loops, loops, false, Duration.ofMillis(1)).run(this::open);

    assertEquals(0, answered);
    loops.getFirst().submit(() -> {}).syncUninterruptibly(); // requests of the loop run before
    assertTrue(callers.getFirst().cancelled);
    assertTrue(callers.getFirst().closed);
  }

  @Test
  void shouldDoWithoutWhatCannotBeListenedTo() {
    List<StageLoop> loops = loops("fused", 1);

    int answered =
        warmUp(loops, loops, true, LONG)
            .run(
                loop -> {
                  throw new IOException("no port is left");
                });

    assertEquals(0, answered);
    assertEquals(List.of(), callers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:2", "pipelined:2+1+1", "pipelined:1+1+2"})
  void shouldBeAnsweredByTheEngineAndLeaveNoTrace(String layout) throws IOException {
    EngineLimits limits = EngineLimits.defaults().with(Map.of("start.warmUpMillis", 1));
    EngineSettings settings =
        EngineSettings.of(new DefinitionRegistry(limits, new InMemoryDefinitionStore()))
            .withStageLayout(StageLayout.parse(layout))
            .withLimits(limits);
    try (Engine engine = Engine.start(settings)) {
      assertEquals(2 * EventLoopWarmUp.ROUNDS, engine.warmedUpLoops(), "two pairs of loops");
      assertEquals(0, engine.running());
      engine
          .invokers()
          .forEach(
              invoker -> {
                assertEquals(0, invoker.counters().get(Counter.CALLS));
                assertEquals(0, invoker.counters().get(Counter.CONNECTIONS));
              });
      await().until(() -> engine.connections() == 0);
    }
  }

  @Test
  void shouldNotBeHeldUnlessWarmingUpIsAskedFor() throws IOException {
    EngineLimits limits = EngineLimits.defaults();
    DefinitionRegistry none = new DefinitionRegistry(limits, new InMemoryDefinitionStore());
    try (Engine engine = Engine.start(EngineSettings.of(none))) {
      assertEquals(0, engine.warmedUpLoops());
    }
  }

  private List<StageLoop> loops(String name, int count) {
    StageLoopGroup group =
        StageLoopGroup.parked(name, count, TRANSPORT, Clock.system(), ThreadSetup.NONE);
    groups.add(group);
    group.loops().forEach(loop -> loop.host(List.of()));
    return group.loops();
  }

  private EventLoopWarmUp warmUp(
      List<StageLoop> request, List<StageLoop> invoker, boolean answering, Duration patience) {
    return new EventLoopWarmUp(request, invoker, loop -> new FakeCaller(loop, answering), patience);
  }

  private Channel open(EventLoop loop) {
    doors.add(loop);
    return new ServerBootstrap()
        .group(loop)
        .channel(TRANSPORT.serverChannel())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                // no client connects
              }
            })
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .syncUninterruptibly()
        .channel();
  }

  /** Answers at once, or never. */
  private final class FakeCaller implements ServiceCaller {
    final StageLoop loop;
    final List<HttpCall> calls = Collections.synchronizedList(new ArrayList<>());
    volatile boolean cancelled;
    volatile boolean closed;
    private final boolean answering;

    FakeCaller(StageLoop loop, boolean answering) {
      this.loop = loop;
      this.answering = answering;
      callers.add(this);
    }

    @Override
    public OngoingCall call(HttpCall call, CallListener callListener) {
      assertTrue(loop.inEventLoop());
      calls.add(call);
      if (answering) {
        callListener.onOutcome(new CallOutcome.Succeeded(Payload.NULL));
      }
      return new OngoingCall() {
        @Override
        public void cancel() {
          cancelled = true;
        }

        @Override
        public String waitsFor() {
          return "nothing";
        }
      };
    }

    @Override
    public void onClose() {
      closed = true;
    }
  }
}

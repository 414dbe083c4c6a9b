package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that wait, overflow, overtake each other and leave. */
@Timeout(60)
class ChainTest {
  private static final Declaration NUMBERED = Declaration.NOTHING.reading(Slot.property("n"));

  private final WorkerPool pool = new WorkerPool(WorkerSettings.parked(2, 0), Clock.system());
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final CountDownLatch open = new CountDownLatch(1);

  @AfterEach
  void close() {
    open.countDown();
    pool.close();
  }

  private static Message numbered(int n, Map<String, String> more) {
    TreeMap<String, String> properties = new TreeMap<>(more);
    properties.put("n", "" + n);
    Message message = Messages.of("{}");
    return new Message(message.id(), message.point(), properties, message.body());
  }

  /** Records the number of each message; the first one waits until the test opens the door. */
  private Step noting() {
    return ScriptedHandler.of(
            NUMBERED,
            view -> {
              String n = view.property("n", "");
              if (n.equals("0")) {
                open.await();
              }
              seen.add(n);
              return Verdict.UNCHANGED;
            })
        .as("note");
  }

  private Chain chain(EngineLimits limits, ChainOptions chainOptions, Step... steps) {
    return new Chain(ChainPlan.inOrder("test", List.of(steps), chainOptions), pool, limits);
  }

  private static ChainOptions one() {
    return new ChainOptions(null, 1, ChainOptions.SideBySide.AUTO);
  }

  @Test
  void shouldServeInOrderOfArrival() throws Exception {
    Chain chain =
        new Chain(
            ChainPlan.inOrder(
                "test", List.of(noting()), new ChainOptions(null, 1, ChainOptions.SideBySide.AUTO)),
            pool,
            Messages.LIMITS);
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(Messages.entering(chain, numbered(i, Map.of())));
    }
    open.countDown();
    for (CompletableFuture<Outcome> each : all) {
      each.get(30, TimeUnit.SECONDS);
    }

    assertEquals(IntStream.range(0, 500).mapToObj(Integer::toString).toList(), seen);
  }

  @Test
  void shouldServeByPriorityAndThenByArrival() throws Exception {
    ChainOptions byPriority = new ChainOptions("p", 1, ChainOptions.SideBySide.AUTO);
    Chain chain = chain(Messages.LIMITS, byPriority, noting());
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    all.add(Messages.entering(chain, numbered(0, Map.of())));
    String[] priorities = {"1", "none", "5", "-2", "5"};
    for (int i = 0; i < priorities.length; i++) {
      all.add(Messages.entering(chain, numbered(i + 1, Map.of("p", priorities[i]))));
    }
    open.countDown();
    for (CompletableFuture<Outcome> each : all) {
      each.get(30, TimeUnit.SECONDS);
    }

    assertEquals(List.of("0", "3", "5", "1", "2", "4"), seen);
  }

  @Test
  void shouldRefuseAtOnceBeyondTheQueueAndNotBefore() throws Exception {
    EngineLimits limits = Messages.LIMITS.with(Map.of("handlers.maxQueued", 3));
    Chain chain = chain(limits, new ChainOptions(null, 1, ChainOptions.SideBySide.AUTO), noting());
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) { // one under way, three that wait
      all.add(Messages.entering(chain, numbered(i, Map.of())));
    }

    Outcome refused = Messages.entering(chain, numbered(4, Map.of())).getNow(null);

    Outcome.Overloaded overloaded = assertInstanceOf(Outcome.Overloaded.class, refused);
    assertEquals("handlers.maxQueued", overloaded.limit());
    assertTrue(overloaded.retryAfterSeconds() >= 1);
    assertEquals(3, chain.queued());
    open.countDown();
    for (CompletableFuture<Outcome> each : all) {
      assertInstanceOf(Outcome.Proceed.class, each.get(30, TimeUnit.SECONDS));
    }
  }

  /** A message that takes a number of bytes of the heap. */
  private static Message ofBytes(int bytes) {
    Message message = numbered(0, Map.of());
    int rest = (int) (bytes - message.heapBytes());
    return new Message(
        message.id(), message.point(), message.properties(), Body.of(new byte[rest], "x/y"));
  }

  /** Field fault 1: a JSON value counts with its bytes on the heap, and not with its text. */
  @Test
  void shouldCountWhatMessagesTakeOfTheHeap() throws Exception {
    Message message = numbered(0, Map.of());
    Payload small = Payload.object(Map.of("a", Payload.of(1)));
    Payload many = Payload.array(Collections.nCopies(1_000, small));
    Message tree = new Message(message.id(), message.point(), message.properties(), Body.of(many));

    assertTrue(tree.size() < 10_000, "text: " + tree.size());
    assertTrue(tree.heapBytes() > 100_000, "heap: " + tree.heapBytes());
  }

  @Test
  void shouldRefuseBeyondTheBytesOfTheQueue() {
    EngineLimits limits = Messages.LIMITS.with(Map.of("handlers.maxQueuedBytes", 1 << 10));
    Chain chain = chain(limits, new ChainOptions(null, 1, ChainOptions.SideBySide.AUTO), noting());
    Message big = ofBytes(512);
    for (int i = 0; i < 3; i++) { // one under way, two of 512 bytes that wait
      assertEquals(null, Messages.entering(chain, big).getNow(null));
    }

    Outcome refused = Messages.entering(chain, big).getNow(null);

    assertEquals(
        "handlers.maxQueuedBytes", assertInstanceOf(Outcome.Overloaded.class, refused).limit());
  }

  @Test
  void shouldLoseNoMessageAndNoPermitWhenManyThreadsEnter() throws Exception {
    Step odd =
        ScriptedHandler.of(
                NUMBERED.mandatory(),
                view -> {
                  if (view.property("n", "").endsWith("3")) {
                    throw new IllegalStateException("three");
                  }
                  return Verdict.UNCHANGED;
                })
            .as("odd");
    Chain chain =
        chain(
            Messages.LIMITS.with(Map.of("handlers.maxQueued", 100_000)),
            new ChainOptions(null, 2, ChainOptions.SideBySide.ALWAYS),
            odd);
    List<CompletableFuture<Outcome>> all = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 50; t++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < 100; i++) {
                  all.add(Messages.entering(chain, numbered(i, Map.of())));
                }
              }));
    }
    for (Thread each : threads) {
      each.join();
    }
    int refused = 0;
    for (CompletableFuture<Outcome> each : all) {
      refused += each.get(30, TimeUnit.SECONDS) instanceof Outcome.Refused ? 1 : 0;
    }

    assertEquals(5_000, all.size());
    assertEquals(500, refused);
    settle(chain);
    assertEquals(0, chain.queued());
  }

  /** Waits: the permit is returned after the exit was called. */
  private static void settle(Chain chain) {
    while (chain.inFlight() > 0) {
      Thread.onSpinWait(); // bounded by the time of the test
    }
  }

  @Test
  void shouldGivePermitsBackWhenTheExitFails() throws Exception {
    Chain chain = chain(Messages.LIMITS, one(), noting());
    for (int i = 1; i <= 3; i++) {
      CountDownLatch told = new CountDownLatch(1);
      chain.enter(
          numbered(i, Map.of()),
          "context",
          (context, outcome) -> {
            told.countDown();
            throw new IllegalStateException("exit");
          });
      assertTrue(told.await(30, TimeUnit.SECONDS));
    }
    settle(chain);
  }

  @Test
  void shouldGiveTheContextBack() throws Exception {
    Chain chain = chain(Messages.LIMITS, ChainOptions.DEFAULT, noting());
    Object own = new Object();
    CompletableFuture<Object> back = new CompletableFuture<>();

    chain.enter(numbered(1, Map.of()), own, (context, outcome) -> back.complete(context));

    assertSame(own, back.get(30, TimeUnit.SECONDS));
  }

  @Test
  void shouldRunCheapChainsOnTheThreadOfTheCaller() {
    List<Thread> threads = new ArrayList<>();
    Step cheap =
        ScriptedHandler.of(
                Declaration.NOTHING.with(Work.CHEAP),
                view -> {
                  threads.add(Thread.currentThread());
                  return Verdict.UNCHANGED;
                })
            .as("cheap");
    Outcome outcome =
        Messages.entering(chain(Messages.LIMITS, one(), cheap), Messages.of("{}")).getNow(null);

    assertInstanceOf(Outcome.Proceed.class, outcome);
    assertEquals(List.of(Thread.currentThread()), threads);
  }

  @Test
  void shouldBoundMessagesWhoseCheapHandlersReplyLater() {
    EngineLimits limits = Messages.LIMITS.with(Map.of("handlers.maxQueued", 3));
    Chain chain =
        chain(
            limits,
            new ChainOptions(null, 1, ChainOptions.SideBySide.NEVER),
            Step.of("a", new Mute()));
    List<CompletableFuture<Outcome>> room = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      room.add(Messages.entering(chain, Messages.of("{}")));
    }

    assertInstanceOf(
        Outcome.Overloaded.class, Messages.entering(chain, Messages.of("{}")).getNow(null));
    room.forEach(each -> assertFalse(each.isDone()));
  }

  /** Never replies. */
  private static final class Mute implements AsyncHandler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.with(Work.CHEAP).mandatory();
    }

    @Override
    public void begin(View message, Reply reply) {}
  }

  @Test
  void shouldUndoOnewayEffectsThatFailAndRepeatNoneThatIsInDoubt() throws Exception {
    Step atomic =
        ScriptedHandler.of(
                Declaration.NOTHING.withOneway(true).with(EffectClass.ATOMIC).retried(2),
                view -> {
                  seen.add("atomic");
                  throw new InDoubtException("perhaps");
                })
            .as("atomic");
    Step quasi =
        ScriptedHandler.of(
                Declaration.NOTHING.withOneway(true).with(EffectClass.QUASI_ATOMIC).retried(1),
                view -> {
                  seen.add("quasi");
                  throw new IllegalStateException("half");
                })
            .undoing(view -> seen.add("undone"))
            .as("quasi");
    Chain chain = chain(Messages.LIMITS, one(), atomic, quasi);
    Messages.through(chain, Messages.of("{}"));
    chain.close();
    while (((ScriptedHandler) quasi.handler()).closed.get() == 0) {
      Thread.onSpinWait(); // bounded by the time of the test
    }

    assertEquals(List.of("atomic", "quasi", "undone", "quasi", "undone"), seen);
    assertEquals(1, chain.statistics().get(0).skipped());
    assertEquals(1, chain.statistics().get(1).skipped());
  }

  @Test
  void shouldNotWaitForOnewayHandlersAndLeaveOutWhatFindsNoRoom() throws Exception {
    Step oneway =
        ScriptedHandler.of(
                NUMBERED.withOneway(true),
                view -> {
                  open.await();
                  seen.add(view.property("n", ""));
                  return Verdict.UNCHANGED;
                })
            .as("oneway");
    ScriptedHandler handler = (ScriptedHandler) oneway.handler();
    EngineLimits limits = Messages.LIMITS.with(Map.of("handlers.maxOneway", 2));
    Chain chain = chain(limits, one(), oneway);
    Messages.through(chain, numbered(0, Map.of()));
    while (chain.oneway() > 0) {
      Thread.onSpinWait(); // until a worker has taken the first notice
    }
    for (int i = 1; i < 5; i++) {
      assertInstanceOf(Outcome.Proceed.class, Messages.through(chain, numbered(i, Map.of())));
    }
    assertEquals(2, chain.statistics().getFirst().dropped());

    chain.close();
    assertEquals(0, handler.closed.get(), "there are still notices");
    open.countDown();
    while (handler.closed.get() == 0) {
      Thread.onSpinWait(); // bounded by the time of the test
    }
    assertEquals(List.of("0", "1", "2"), seen);
  }

  @Test
  void shouldCloseHandlersOnceAfterTheLastMessage() throws Exception {
    Step step = noting();
    ScriptedHandler handler = (ScriptedHandler) step.handler();
    Chain chain = chain(Messages.LIMITS, one(), step);
    CompletableFuture<Outcome> under = Messages.entering(chain, numbered(0, Map.of()));
    CompletableFuture<Outcome> queued = Messages.entering(chain, numbered(1, Map.of()));

    chain.close();

    assertInstanceOf(
        Outcome.Overloaded.class, Messages.entering(chain, numbered(2, Map.of())).getNow(null));
    assertEquals(0, handler.closed.get());
    open.countDown();
    assertInstanceOf(Outcome.Proceed.class, under.get(30, TimeUnit.SECONDS));
    assertInstanceOf(Outcome.Proceed.class, queued.get(30, TimeUnit.SECONDS));
    while (handler.closed.get() == 0) {
      Thread.onSpinWait(); // bounded by the time of the test
    }
    assertEquals(1, handler.closed.get());
  }

  @Test
  void shouldKeepToTheBoundsOfMessages() throws Exception {
    EngineLimits limits =
        Messages.LIMITS.with(
            Map.of("handlers.maxProperties", 16, "handlers.maxPropertyChars", 256));
    Declaration writes = Declaration.NOTHING.writing(Slot.property("*"));
    for (int more : new int[] {15, 16}) { // besides the existing one
      Changes changes = Changes.NONE;
      for (int i = 0; i < more; i++) {
        changes = changes.property("p" + i, "x");
      }
      Verdict verdict = Verdict.goOn(changes);
      Chain chain = chain(limits, one(), ScriptedHandler.of(writes, v -> verdict).as("a"));
      Messages.through(chain, Messages.of("{}"));
      assertEquals(more - 15, chain.statistics().getFirst().failures(), more + " properties");
    }
    for (int chars : new int[] {255, 256}) { // and the name's one
      Verdict verdict = Verdict.goOn(Changes.NONE.property("p", "x".repeat(chars)));
      Chain chain = chain(limits, one(), ScriptedHandler.of(writes, v -> verdict).as("a"));
      Messages.through(chain, Messages.of("{}"));
      assertEquals(chars - 255, chain.statistics().getFirst().failures(), chars + " characters");
    }
  }

  @Test
  void shouldKeepOnewayNoticesToTheirBytes() throws Exception {
    Step oneway =
        ScriptedHandler.of(
                Declaration.NOTHING.withOneway(true),
                view -> {
                  open.await();
                  return Verdict.UNCHANGED;
                })
            .as("oneway");
    Chain chain =
        chain(Messages.LIMITS.with(Map.of("handlers.maxOnewayBytes", 1 << 10)), one(), oneway);
    Message half = ofBytes(512);
    Messages.through(chain, half);
    while (chain.oneway() > 0) {
      Thread.onSpinWait(); // until a worker has taken the first notice
    }
    for (int dropped : new int[] {0, 0, 1, 2}) {
      Messages.through(chain, half);
      assertEquals(dropped, chain.statistics().getFirst().dropped());
    }
  }

  @Test
  void shouldNeverOpenTheWindowBeyondItsBound() {
    EngineLimits limits = Messages.LIMITS.with(Map.of("handlers.maxWindow", 3));
    for (int window : new int[] {3, 4}) {
      ChainOptions chainOptions = new ChainOptions(null, window, ChainOptions.SideBySide.AUTO);
      assertEquals(3, chain(limits, chainOptions, noting()).windowSize());
    }
    assertEquals(
        2, chain(limits, ChainOptions.DEFAULT, noting()).windowSize(), "as many as workers");
  }

  @Test
  void shouldRunHandlersOfAStageAtTheSameTime() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    ScriptedHandler.Script meet =
        view -> {
          both.countDown();
          assertTrue(both.await(30, TimeUnit.SECONDS));
          return Verdict.UNCHANGED;
        };
    Step a = ScriptedHandler.of(Declaration.NOTHING.mandatory(), meet).as("a");
    Step b = ScriptedHandler.of(Declaration.NOTHING.mandatory(), meet).as("b");
    ChainOptions always = new ChainOptions(null, 1, ChainOptions.SideBySide.ALWAYS);
    Chain chain = new Chain(ChainPlan.auto("test", List.of(a, b), always), pool, Messages.LIMITS);

    assertEquals(1, chain.plan().stages().size());
    assertInstanceOf(Outcome.Proceed.class, Messages.through(chain, Messages.of("{}")));
  }
}

package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.journal.store.RecordVisitor;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.HttpCalls;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.output.EffectLanes;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.partition.StartPolicy;
import dev.pinion.core.recovery.Quarantine;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.SafeStoreSettings;
import dev.pinion.core.spi.DefinitionCatalog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on disk with two kernels driven by hand; its own threads are real. */
class SafeStoreTest {
  private static final int KERNELS = 2;
  private static final int INSTANCES = 2_000;
  private static final int NEVER = 1 << 30;

  /** Room for a few segments. */
  private static final long SMALL_VOLUME = 320 << 10;

  private static final Payload LONG_TEXT = Payload.of("x".repeat(900));

  private static final String WAITS =
      """
      document:
        dsl: '1.0.0'
        namespace: test
        name: waits
        version: '1.0.0'
      do:
        - work:
            call: http
            with: { method: get, endpoint: 'http://127.0.0.1:1/work' }
            if: ${ .calls }
        - nap:
            wait: { hours: 1 }
      """;

  @TempDir Path root;

  private final EngineLimits limits =
      EngineLimits.defaults().with(Map.of("kernel.maxEnded", 100_000));
  private UnaryOperator<Storage> disk = UnaryOperator.identity();
  private DefinitionRegistry registry = registry();
  private final List<IOException> failures = new CopyOnWriteArrayList<>();
  private final List<Opened> open = new ArrayList<>();

  @AfterEach
  void shouldNotHaveFailed() throws IOException {
    for (Opened opened : open) {
      opened.close(false);
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void shouldReplayNoMoreThanWhatFollowsTheSnapshot() throws Exception {
    Opened first = open(200 << 10, NEVER);
    first.start(INSTANCES, false);
    first.start(5, true);
    first.until(() -> !files().contains("0000000001.segment"));
    assertTrue(files().stream().anyMatch(name -> name.matches("snapshot-\\d+")), files()::toString);
    first.start(10, false);
    first.settle();
    List<String> before = first.instances();
    first.close(false);

    Opened second = open(200 << 10, NEVER);

    assertEquals(before, second.instances());
    assertEquals(INSTANCES + 15, before.size());
    assertTrue(
        second.store.recovery().entries() > INSTANCES / 4,
        "entries: " + second.store.recovery().entries());
    assertTrue(
        second.store.recovery().records() < INSTANCES,
        "records: " + second.store.recovery().records() + " of " + before.size());
    assertTrue(second.calls.stream().allMatch(call -> attempt(call).equals("2")));
    assertEquals(5, second.calls.size());
  }

  @Test
  void shouldReplayNothingAfterACleanClose() throws Exception {
    Opened first = open(NEVER, 0);
    first.start(50, false);
    first.start(2, true);
    first.settle();
    List<String> before = first.instances();
    first.close(true);

    Opened second = open(NEVER, NEVER);
    assertEquals(0, second.store.recovery().records());
    assertEquals(before, second.instances());
    assertEquals(List.of("2", "2"), second.calls.stream().map(SafeStoreTest::attempt).toList());
    second.close(true);

    Opened third = open(NEVER, NEVER);
    assertEquals(0, third.store.recovery().records());
    assertEquals(before, third.instances());
    assertEquals(List.of("3", "3"), third.calls.stream().map(SafeStoreTest::attempt).toList());
  }

  /** A snapshot that was made while kernels ran: its entries are ahead of records. */
  @Test
  void shouldTakePartitionsOverFromALogWithASnapshot() throws Exception {
    Opened one = open(200 << 10, NEVER);
    one.start(INSTANCES, false);
    one.start(5, true);
    one.until(() -> !files().contains("0000000001.segment"));
    one.start(10, false);
    one.settle();
    List<String> before = one.instances();
    one.close(false);

    Opened second = open(NEVER, NEVER, 1, 2);
    Opened first = open(NEVER, 0, 0, 2);
    List<String> halves =
        Stream.concat(first.instances().stream(), second.instances().stream()).sorted().toList();
    assertEquals(before, halves);
    assertFalse(first.instances().isEmpty());
    assertFalse(second.instances().isEmpty());
    assertEquals(5, first.calls.size() + second.calls.size());
    first.close(true);
    second.close(false);

    Opened again = open(NEVER, NEVER);
    assertEquals(before, again.instances());
    assertTrue(again.calls.stream().allMatch(call -> Integer.parseInt(attempt(call)) > 2));
    assertEquals(5, again.calls.size());
  }

  @Test
  void shouldKeepWhatAnotherReplicaHasYetToTakeOver() throws Exception {
    Opened one = open(NEVER, NEVER);
    one.start(50, false);
    one.settle();
    List<String> before = one.instances();
    one.close(false);

    Opened first = open(1, 0, 0, 2); // its other half has not started yet
    first.start(50, false);
    first.settle();
    List<String> more = first.instances();
    first.close(true);
    assertFalse(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);

    Opened second = open(NEVER, NEVER, 1, 2);
    List<String> moved = second.instances();
    second.close(true);
    assertEquals(25, moved.size());
    assertEquals(100, Stream.of(before, more, moved).flatMap(List::stream).distinct().count());

    Opened without = open(1, 0, 0, 2); // holds no released partitions any more
    without.start(50, false);
    without.settle();
    without.close(true);
    assertTrue(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);
  }

  @Test
  void shouldMakeNoSnapshotWhenKernelsMayStillRun() throws Exception {
    Opened first = open(NEVER, 0);
    first.start(5, false);
    first.settle();
    first.close(false);

    assertFalse(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);
  }

  @Test
  void shouldPassOverAnInstanceAtWhichThreeRecoveriesFailedUntilItIsWantedBack() throws Exception {
    DefinitionRegistry whole = registry;
    Opened first = open(NEVER, 0);
    first.start(3, false);
    first.startOther();
    first.settle();
    List<String> before = first.instances();
    first.close(false);

    registry = registry(); // the file of the other definition is missing
    for (int i = 0; i < Quarantine.MAX_FAILURES; i++) {
      IOException refusal = assertThrows(IOException.class, () -> open(NEVER, 0));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("expected the definition test/other"),
          refusal.getMessage());
    }
    Opened without = open(1, 0);
    List<String> passedOver = without.instances();
    assertEquals(4, passedOver.size());
    assertEquals(3, passedOver.stream().filter(before::contains).count());
    String told = passedOver.stream().filter(each -> !before.contains(each)).findFirst().orElse("");
    assertTrue(told.contains("FAULTED") && told.contains("3 recoveries failed"), told);
    without.start(50, false);
    without.settle();
    List<String> later = without.instances();
    without.close(true);
    assertFalse(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);

    registry = whole; // the file is back, and the instance is to be restored
    try (Stream<Path> held = Files.list(root.resolve("journal").resolve("quarantine"))) {
      for (Path each : held.toList()) {
        Files.delete(each);
      }
    }
    Opened again = open(NEVER, 0);
    List<String> recovered = again.instances();
    assertEquals(54, recovered.size());
    assertTrue(recovered.containsAll(before), () -> "missing of " + before + " in " + recovered);
    assertTrue(
        later.stream().filter(each -> !each.equals(told)).allMatch(recovered::contains),
        () -> "missing of " + later + " in " + recovered);
    again.close(true);
    assertTrue(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);
  }

  /** Field fault 2: failing to make files ahead or to delete files is no failure of the journal. */
  @Test
  void shouldGoOnWhenHousekeepingFails() throws Exception {
    Opened store = open(200 << 10, NEVER);
    Path obstacle = root.resolve("journal").resolve("0").resolve("spare.preparing");
    Files.createDirectories(obstacle.resolve("inside"));
    store.until(
        () -> {
          store.start(10, false);
          return store.store.maintenance().failures() > 0;
        });
    assertEquals(List.of(), failures);

    Files.delete(obstacle.resolve("inside"));
    Files.delete(obstacle);
    store.until(() -> files().contains("spare"));
    store.start(INSTANCES / 4, false);
    store.settle();
  }

  /** Field fault 4: starts wait for a history that makes progress, so that it misses nothing. */
  @Test
  void shouldRefuseStartsWhileTheHistoryIsFarBehind() throws Exception {
    Opened store = open(NEVER, NEVER);
    store.start(10, false);
    store.settle();
    Path folder = root.resolve("journal").resolve("0");
    try (Storage storage = FileStorage.create(folder);
        LogFollower follower = LogFollower.open(storage, 0, new NoVisitor())) {
      follower.acknowledge(1);
      store.until(
          () -> {
            for (int i = 0; i < 200; i++) {
              store.startOnce();
            }
            return store.store.maintenance().isFollowerBehind();
          });
      assertEquals(Journal.Rejection.UNREAD, store.store.journal(0).refusal());
      MovedClock clock = new MovedClock();
      StartCapacity told = store.limits(clock);
      assertNull(told.refusing(), "it may be for a moment");
      clock.move(StartCapacity.PATIENCE_NANOS);
      assertEquals("journal.unreadLogBytes", told.refusing()); // Field fault 21

      follower.acknowledge(1_000_000);
      store.until(() -> !store.store.maintenance().isFollowerBehind());
      assertNull(told.refusing());
      store.start(10, false);
    }
  }

  private static final class NoVisitor implements RecordVisitor {
    @Override
    public void onEntry(int partition, byte kind, ByteBuffer payload) {}

    @Override
    public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload) {}
  }

  /** Field fault 5: a small volume gets a snapshot before it is full, however little is written. */
  @Test
  void shouldMakeASnapshotBeforeTheDiskIsFull() throws Exception {
    Path folder = root.resolve("journal").resolve("0");
    disk =
        files ->
            changed(
                files,
                (method, name) ->
                    method.equals("usableBytes") ? SMALL_VOLUME - used(folder) : null);
    Opened store = open(NEVER, NEVER);
    store.startWhileThereIsRoom(INSTANCES / 2);
    store.until(() -> !files().contains("0000000001.segment"));

    assertTrue(files().stream().anyMatch(name -> name.matches("snapshot-\\d+")), files()::toString);
    store.settle();
    List<String> before = store.instances();
    store.close(false);
    Opened again = open(NEVER, NEVER);
    assertEquals(before, again.instances());
  }

  /**
   * Field fault 5: the disk has no room except the reserve, which is released and restored later.
   */
  @Test
  @Tag("long")
  void shouldGiveTheReserveUpForASnapshotThatLacksRoom() throws Exception {
    Path folder = root.resolve("journal").resolve("0");
    AtomicBoolean full = new AtomicBoolean();
    AtomicInteger lacked = new AtomicInteger();
    disk =
        files ->
            changed(
                files,
                (method, name) -> {
                  if (full.get() && method.equals("usableBytes")) {
                    return 0L;
                  }
                  if (full.get()
                      && method.equals("create")
                      && name.startsWith("snapshot-")
                      && Files.exists(folder.resolve("reserve"))) {
                    lacked.incrementAndGet();
                    throw new NoSpaceException("make " + name, new IOException("full"));
                  }
                  return null;
                });
    Opened store = open(NEVER, NEVER);
    store.until(() -> files().contains("reserve"));
    store.start(INSTANCES / 2, false);
    assertTrue(files().stream().noneMatch(name -> name.startsWith("snapshot-")));
    full.set(true);
    store.until(() -> files().stream().anyMatch(name -> name.matches("snapshot-\\d+")));
    assertTrue(lacked.get() > 0, "snapshots that lacked room");
    store.until(() -> !files().contains("0000000001.segment"));
    assertFalse(files().contains("reserve"));

    full.set(false);
    long snapshot = size("snapshot-\\d+");
    await().until(() -> size("reserve") > snapshot);
    store.settle();
    List<String> before = store.instances();
    store.close(true);
    assertEquals(before, open(NEVER, NEVER).instances());
  }

  private long size(String name) throws IOException {
    Path folder = root.resolve("journal").resolve("0");
    for (String each : files()) {
      if (each.matches(name)) {
        return Files.size(folder.resolve(each));
      }
    }
    return 0;
  }

  /** Answers of a disk that differ from those of the operating system. */
  private interface Change {
    /** The answer, or null for the usual one. */
    @Nullable Object of(String method, String name) throws IOException;
  }

  private static Storage changed(Storage files, Change change) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (_, method, arguments) -> {
              boolean named = arguments != null && arguments[0] instanceof String;
              Object answer = change.of(method.getName(), named ? (String) arguments[0] : "");
              if (answer != null) {
                return answer;
              }
              try {
                return method.invoke(files, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  private static long used(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      long sum = 0;
      for (Path file : files.toList()) {
        sum += Files.size(file);
      }
      return sum;
    } catch (NoSuchFileException e) {
      return 0; // renamed meanwhile
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private DefinitionRegistry registry() {
    return new DefinitionRegistry(limits, new InMemoryDefinitionStore());
  }

  private static String attempt(Effect.Invoke invoke) {
    return HttpCalls.of(invoke).headers().stream()
        .filter(field -> field.name().equals("Pinion-Attempt"))
        .map(field -> field.value())
        .findFirst()
        .orElse("none");
  }

  private List<String> files() {
    try (Stream<Path> files = Files.list(root.resolve("journal").resolve("0"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Opened open(int snapshotLogBytes, int closeLogBytes) throws IOException {
    return open(snapshotLogBytes, closeLogBytes, 0, 1);
  }

  private Opened open(int snapshotLogBytes, int closeLogBytes, int slot, int slots)
      throws IOException {
    EngineLimits sized =
        limits.with(
            Map.of(
                "journal.segmentBytes",
                64 << 10,
                "journal.snapshotLogBytes",
                snapshotLogBytes,
                "journal.closeLogBytes",
                closeLogBytes,
                "journal.keptLogBytes",
                0,
                "journal.unreadLogBytes",
                128 << 10,
                "invoker.maxResponseBytes",
                1 << 10,
                "definition.maxBytes",
                1 << 10,
                "request.maxBodyBytes",
                1 << 10,
                "kernel.maxRetryBytes",
                1 << 10));
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ReplicaGroup place = new ReplicaGroup(slot, slots, root, StartPolicy.LOCAL);
    Path folder = root.resolve("journal").resolve(Integer.toString(slot));
    Opened opened =
        new Opened(
            EngineSettings.of(registry)
                .withLimits(sized)
                .withListen(new ListenSpec(free, ListenSpec.AcceptMode.DIRECT, place))
                .withSafeStore(new SafeStoreSettings(Durability.SYNC, folder, failures::add)),
            folder);
    opened.settle();
    open.add(opened);
    return opened;
  }

  /** Two kernels and their journal. */
  private final class Opened implements EffectLanes {
    final SafeStore store;
    final List<Effect.Invoke> calls = new ArrayList<>();
    private final List<Kernel> kernels = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private final EngineSettings settings;
    private final HeapAccount heap = new HeapAccount(limits.kernel().maxHeldBytes());
    private final PartitionTable partitionTable;
    private final DefinitionKey key;
    private boolean closed;

    Opened(EngineSettings settings, Path folder) throws IOException {
      this.settings = settings;
      this.key = deploy(WAITS);
      this.partitionTable = new PartitionTable(settings.entrance().replicaGroup(), KERNELS);
      this.store =
          new SafeStore(
              settings, folder, new PayloadCodec(limits.json()), partitionTable, heap, disk);
      for (int i = 0; i < KERNELS; i++) {
        kernels.add(
            new Kernel(
                i,
                limits,
                new DefinitionSources(registry, settings.bindings(), Durability.SYNC),
                new KernelOutputs(store.journal(i), settings.observer(), this),
                KernelMemory.alone(limits, store.cold(i)),
                settings.clock().nanoTime()));
      }
      try {
        store.recover(kernels);
      } catch (IOException e) {
        store.close();
        throw e;
      }
      store.start();
    }

    StartCapacity limits(Clock clock) {
      return StartCapacity.of(kernels, heap, store, limits.kernel(), clock);
    }

    private DefinitionKey deploy(String definition) {
      byte[] yaml = definition.getBytes(StandardCharsets.UTF_8);
      return switch (registry.deploy(yaml, "application/yaml", null, false)) {
        case DefinitionCatalog.Deployment.Created created -> created.definition().key();
        case DefinitionCatalog.Deployment.Unchanged unchanged -> unchanged.definition().key();
        case DefinitionCatalog.Deployment other -> throw new AssertionError(other.toString());
      };
    }

    void start(int count, boolean calling) {
      Payload input =
          Payload.object(Map.of("calls", Payload.of(calling), "text", Payload.of("x".repeat(100))));
      for (int i = 0; i < count; i++) {
        int partition = partitionTable.nextPartition(i % KERNELS, -1);
        Command.Start start = new Command.Start(key, partition, input, null, false);
        if (!isAccepted(start)) { // until there is a next segment
          until(() -> isAccepted(start));
        }
      }
    }

    /** Requests starts; those for whose snapshot there is no room are refused. */
    void startWhileThereIsRoom(int count) {
      Payload input = Payload.object(Map.of("calls", Payload.of(false), "text", LONG_TEXT));
      for (int i = 0; i < count; i++) {
        int partition = partitionTable.nextPartition(i % KERNELS, -1);
        isAccepted(new Command.Start(key, partition, input, null, false));
      }
    }

    /** Requests a start that may be refused. */
    void startOnce() {
      Payload input = Payload.object(Map.of("calls", Payload.of(false), "text", LONG_TEXT));
      isAccepted(new Command.Start(key, partitionTable.nextPartition(0, -1), input, null, false));
    }

    /** Starts an instance of a definition that the next registry need not have. */
    void startOther() {
      DefinitionKey other = deploy(WAITS.replace("name: waits", "name: other"));
      int partition = partitionTable.nextPartition(0, -1);
      Payload input = Payload.object(Map.of("calls", Payload.of(false)));
      assertTrue(isAccepted(new Command.Start(other, partition, input, null, false)));
    }

    private boolean isAccepted(Command.Start start) {
      Kernel kernel = kernels.get(partitionTable.owner(start.partition()));
      long before = kernel.counters().started();
      assertTrue(kernel.requests().offer(start));
      cycle();
      return kernel.counters().started() > before;
    }

    private int cycle() {
      int work = 0;
      for (Kernel kernel : kernels) {
        work += kernel.doWork(settings.clock().nanoTime(), settings.clock().epochMillis());
      }
      return work;
    }

    /** Drives the kernels until everything is durable and they have nothing to do. */
    void settle() {
      until(
          () ->
              cycle() == 0
                  && Stream.iterate(0, i -> i + 1)
                      .limit(KERNELS)
                      .allMatch(i -> store.journal(i).durable() == store.journal(i).appended()));
    }

    /** Drives the kernels until a condition holds. */
    void until(BooleanSupplier condition) {
      await()
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                cycle();
                return condition.getAsBoolean();
              });
    }

    /** The full views of all instances, outputs and errors included. */
    List<String> instances() {
      List<InstanceId> ids = ids();
      replies.clear();
      for (InstanceId id : ids) {
        Kernel owner = kernels.get(partitionTable.owner(id.partition()));
        ReplyAddress<Reply.InstanceReply> to = new ReplyAddress<>(0, replies.size());
        assertTrue(owner.requests().offer(new Query.GetInstance(id, false, to)));
      }
      until(() -> replies.size() == ids.size());
      return replies.stream()
          .map(
              reply ->
                  switch (reply) {
                    case Reply.InstanceFound found -> found.instance().toString();
                    case Reply.Ended ended -> ended.instance().toString();
                    default -> throw new AssertionError("expected an instance, found " + reply);
                  })
          .sorted()
          .toList();
    }

    private List<InstanceId> ids() {
      replies.clear();
      for (Kernel kernel : kernels) {
        Query all =
            new Query.ListInstances(
                null, null, null, Set.of(), null, 10_000, new ReplyAddress<>(0, replies.size()));
        assertTrue(kernel.requests().offer(all));
      }
      until(() -> replies.size() == KERNELS);
      return replies.stream()
          .flatMap(reply -> ((Reply.Page) reply).instances().stream())
          .map(InstanceView::id)
          .toList();
    }

    void close(boolean stopped) throws IOException {
      if (!closed) {
        closed = true;
        kernels.forEach(Kernel::freeze);
        store.close(stopped);
      }
    }

    @Override
    public boolean invoke(Effect.Invocation invocation) {
      if (invocation instanceof Effect.Invoke invoke) {
        calls.add(invoke);
      }
      return true;
    }

    @Override
    public boolean evaluate(Effect.Evaluate evaluation) {
      return true;
    }

    @Override
    public <R extends Reply> boolean reply(ReplyAddress<R> to, R reply) {
      replies.add(reply);
      return true;
    }
  }
}

package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelOutlets;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.message.KernelQuery;
import dev.pinion.core.message.KernelReply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.spi.Definitions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on disk with two kernels driven by hand; its own threads are real. */
class SafeStoreTest {
  private static final int KERNELS = 2;
  private static final int INSTANCES = 600;
  private static final long NEVER = Long.MAX_VALUE;

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

  @TempDir Path folder;

  private final EngineLimits limits =
      EngineLimits.defaults().with(Map.of("kernel.maxEnded", 100_000));
  private final DefinitionRegistry registry =
      new DefinitionRegistry(limits, new InMemoryDefinitionStore());
  private final List<IOException> failures = new CopyOnWriteArrayList<>();
  private @Nullable Opened open;

  @AfterEach
  void shouldNotHaveFailed() throws IOException {
    if (open != null) {
      open.close(false);
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void shouldReplayNoMoreThanWhatFollowsTheSnapshot() throws Exception {
    Opened first = open(60 << 10, NEVER);
    first.start(INSTANCES, false);
    first.start(5, true);
    first.until(() -> !files().contains("0000000001.segment"));
    assertTrue(files().stream().anyMatch(name -> name.matches("snapshot-\\d+")), files()::toString);
    first.start(10, false);
    first.settle();
    List<String> before = first.instances();
    first.close(false);

    Opened second = open(60 << 10, NEVER);

    assertEquals(before, second.instances());
    assertEquals(INSTANCES + 15, before.size());
    assertTrue(
        second.store.entriesRead() > INSTANCES / 4, "entries: " + second.store.entriesRead());
    assertTrue(
        second.store.recordsReplayed() < INSTANCES,
        "records: " + second.store.recordsReplayed() + " of " + before.size());
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
    assertEquals(0, second.store.recordsReplayed());
    assertEquals(before, second.instances());
    assertEquals(List.of("2", "2"), second.calls.stream().map(SafeStoreTest::attempt).toList());
    second.close(true);

    Opened third = open(NEVER, NEVER);
    assertEquals(1, third.store.recordsReplayed(), "the opening");
    assertEquals(before, third.instances());
    assertEquals(List.of("3", "3"), third.calls.stream().map(SafeStoreTest::attempt).toList());
  }

  @Test
  void shouldMakeNoSnapshotWhenKernelsMayStillRun() throws Exception {
    Opened first = open(NEVER, 0);
    first.start(5, false);
    first.settle();
    first.close(false);

    assertFalse(files().stream().anyMatch(name -> name.startsWith("snapshot")), files()::toString);
  }

  private static String attempt(Effect.Invoke invoke) {
    return invoke.call().headers().stream()
        .filter(field -> field.name().equals("Pinion-Attempt"))
        .map(field -> field.value())
        .findFirst()
        .orElse("none");
  }

  private List<String> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Opened open(long snapshotLogBytes, long closeLogBytes) throws IOException {
    JournalBounds bounds = new JournalBounds(32 << 10, 8 << 10, snapshotLogBytes, closeLogBytes);
    Opened opened =
        new Opened(
            EngineSettings.of(registry)
                .withLimits(limits)
                .withSafeStore(
                    new SafeStoreSettings(Durability.SYNC, folder, failures::add, bounds)));
    open = opened;
    return opened;
  }

  /** Two kernels and their journal. */
  private final class Opened implements KernelOutlets {
    final SafeStore store;
    final List<Effect.Invoke> calls = new ArrayList<>();
    private final List<Kernel> kernels = new ArrayList<>();
    private final List<KernelReply> replies = new ArrayList<>();
    private final EngineSettings settings;
    private final DefinitionKey key;
    private boolean closed;

    Opened(EngineSettings settings) throws IOException {
      this.settings = settings;
      this.key = deploy();
      this.store = new SafeStore(settings, folder, new PayloadCodec(limits.json()), KERNELS);
      for (int i = 0; i < KERNELS; i++) {
        kernels.add(
            new Kernel(
                i,
                limits,
                registry,
                settings.bindings(),
                Durability.SYNC,
                store.journal(i),
                settings.observer(),
                this,
                settings.clock().nanoTime()));
      }
      store.recover(kernels, new Partitions(settings.entrance().neighbourhood(), KERNELS));
      store.start();
      settle();
    }

    private DefinitionKey deploy() {
      byte[] yaml = WAITS.getBytes(StandardCharsets.UTF_8);
      return switch (registry.deploy(yaml, "application/yaml", null, false)) {
        case Definitions.Deployment.Created created -> created.definition().key();
        case Definitions.Deployment.Unchanged unchanged -> unchanged.definition().key();
        case Definitions.Deployment other -> throw new AssertionError(other.toString());
      };
    }

    void start(int count, boolean calling) {
      Payload input =
          Payload.object(Map.of("calls", Payload.of(calling), "text", Payload.of("x".repeat(100))));
      for (int i = 0; i < count; i++) {
        KernelEvent.Start start = new KernelEvent.Start(key, i % KERNELS, input, null, false);
        if (!isAccepted(start)) { // until there is a next segment
          until(() -> isAccepted(start));
        }
      }
    }

    private boolean isAccepted(KernelEvent.Start start) {
      Kernel kernel = kernels.get(start.partition());
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

    /** Drives the kernels until something is so. */
    void until(BooleanSupplier condition) {
      await()
          .until(
              () -> {
                cycle();
                return condition.getAsBoolean();
              });
    }

    List<String> instances() {
      replies.clear();
      for (Kernel kernel : kernels) {
        KernelQuery all =
            new KernelQuery.ListInstances(
                null, null, null, null, 10_000, new ReplyAddress(0, replies.size()));
        assertTrue(kernel.requests().offer(all));
      }
      until(() -> replies.size() == KERNELS);
      return replies.stream()
          .flatMap(reply -> ((KernelReply.Page) reply).instances().stream())
          .map(InstanceView::toString)
          .sorted()
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
    public boolean reply(ReplyAddress to, KernelReply reply) {
      replies.add(reply);
      return true;
    }
  }
}

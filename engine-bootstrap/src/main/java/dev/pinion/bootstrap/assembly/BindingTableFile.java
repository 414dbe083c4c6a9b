package dev.pinion.bootstrap.assembly;

import dev.pinion.broker.binding.BindingTableBuilder;
import dev.pinion.broker.binding.KroneckerCounters;
import dev.pinion.broker.document.DocumentReading;
import dev.pinion.broker.document.RegistryReader;
import dev.pinion.broker.monitor.ObservationCollector;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.core.binding.BindingRules;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.CallObserver;
import dev.pinion.core.binding.Throttle;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallbackAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table by which a replica binds calls, read from the data folder. A separate thread checks for
 * a new one a few times a second; kernels read a reference. A table that is invalid, or older than
 * the one in force, changes nothing and is logged.
 */
public final class BindingTableFile implements BindingSource {
  private static final Logger LOG = LoggerFactory.getLogger(BindingTableFile.class);

  /** Time between two checks: a table is in force well within a second. */
  static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /** Spreads the starts of counters as far apart as possible: 2^64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final BrokerFolder folder;
  private final Path file;
  private final Path registry;
  private final String callbackBase;
  private final ExpressionCompiler compiler;
  private final KroneckerCounters kroneckerCounters;
  private final RegistryReader reader;
  private final BindingRules rules;
  private final ObservationCollector observationCollector = new ObservationCollector(this::current);
  private volatile @Nullable ObservationSender sender;
  private volatile @Nullable ContractTokenBuckets buckets;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile BindingTable current = BindingTable.EMPTY;

  /** Null before the first service that may respond later. Written by one thread at a time. */
  private volatile @Nullable CallbackAddresses callbackAddresses;

  /** The file that was read last. Written by one thread at a time. */
  private @Nullable FileStamp seen;

  /** Failure of the last check; empty when it succeeded. Written by one thread at a time. */
  private String failure = "";

  private record FileStamp(@Nullable Object key, long modified, long size) {}

  /** A table that was not read yet, and is not followed. */
  BindingTableFile(
      BrokerFolder folder,
      int replica,
      EngineLimits limits,
      BindingRules rules,
      String callbackBase) {
    this.folder = folder;
    this.callbackBase = callbackBase;
    this.file = folder.table();
    this.registry = folder.registry();
    this.rules = rules;
    this.compiler = new ExpressionCompiler(limits);
    AtomicLong starts = new AtomicLong(replica * (GOLDEN >>> 1));
    this.kroneckerCounters = new KroneckerCounters(() -> starts.addAndGet(GOLDEN));
    this.reader = new RegistryReader(source -> problem(compiler, source));
  }

  /**
   * Reads the table, if it exists, and follows it until it is closed.
   *
   * @param replica index of the replica: each starts at a different place in the order of choices
   * @param rules treatment of callers and definitions that the broker does not know
   * @param callbackBase address of this engine for late responses of services: a URI without a
   *     trailing slash, or empty when they know it
   */
  public static BindingTableFile follow(
      Path dataDirectory,
      int replica,
      EngineLimits limits,
      BindingRules rules,
      String callbackBase) {
    BindingTableFile table =
        new BindingTableFile(new BrokerFolder(dataDirectory), replica, limits, rules, callbackBase);
    table.poll();
    Thread thread = new Thread(table::watch, "binding-table");
    thread.setDaemon(true);
    thread.start();
    return table;
  }

  /**
   * Sends observations of services to the broker that listens on a socket, now or later.
   *
   * @param replica index of the replica
   */
  BindingTableFile observedBy(Path socket, int replica) {
    sender = ObservationSender.start(observationCollector, socket, replica);
    return this;
  }

  /** Limits callers to their contracts by these buckets. Before the engine starts. */
  BindingTableFile throttledBy(ContractTokenBuckets shared) {
    buckets = shared;
    return this;
  }

  @Override
  public Throttle throttle() {
    ContractTokenBuckets shared = buckets;
    return shared == null ? Throttle.NONE : shared;
  }

  @Override
  public void addMetrics(MetricFamilies families) {
    ContractTokenBuckets shared = buckets;
    if (shared != null) {
      shared.addMetrics(families);
    }
    kroneckerCounters
        .shed()
        .forEach(
            (serviceClass, sum) ->
                families.counter(
                    "pinion_class_starts_shed_total",
                    "Starts that no plan served.",
                    sum,
                    "class",
                    serviceClass));
  }

  /** The fault of an expression of a mapping, or null. */
  public static @Nullable String problem(ExpressionCompiler compiler, String source) {
    List<String> problems = new ArrayList<>();
    compiler.compile(source, Set.of(), each -> problems.add(each.message()));
    return problems.isEmpty() ? null : String.join("; ", problems);
  }

  @Override
  public BindingTable current() {
    return current;
  }

  @Override
  public BindingRules rules() {
    return rules;
  }

  /** Also from the registry on disk, whether or not it has been planned yet. */
  @Override
  public SortedSet<String> served() {
    SortedSet<String> served = new TreeSet<>();
    current.classes().values().forEach(services -> served.addAll(services.keySet()));
    Instant now = Instant.ofEpochMilli(Clock.system().epochMillis());
    try {
      byte[] document = BrokerFolder.read(registry, RegistryReader.MAX_BYTES);
      if (document != null
          && reader.registry(document)
              instanceof DocumentReading.Valid<ServiceRegistry>(var known)) {
        known.services().stream()
            .filter(each -> each.isValidAt(now))
            .forEach(each -> served.addAll(each.serves()));
      }
    } catch (IOException e) {
      LOG.error("the registry cannot be read; the table in force counts: {}", e.getMessage());
    }
    return served;
  }

  @Override
  public @Nullable CallbackAddresses callbacks() {
    return callbackAddresses;
  }

  @Override
  public CallObserver observer() {
    return observationCollector.observer();
  }

  private void watch() {
    try {
      while (!closed.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        poll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Applies a new table, if there is one. An unreadable file is read again at the next check, and
   * logged once. One thread at a time.
   */
  void poll() {
    try {
      FileStamp now = stamp();
      if (now != null && !now.equals(seen)) {
        byte[] document = BrokerFolder.read(file, RegistryReader.MAX_BYTES);
        seen = now;
        install(document);
      }
      failure = "";
    } catch (IOException | RuntimeException e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(failure)) {
        failure = reason;
        LOG.error("the binding table stays at version {}: {}", current.version(), reason);
      }
    }
  }

  private @Nullable FileStamp stamp() throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(
        found.fileKey(), found.lastModifiedTime().to(TimeUnit.NANOSECONDS), found.size());
  }

  private void install(byte @Nullable [] document) throws IOException {
    if (document == null) {
      return;
    }
    switch (reader.table(document)) {
      case DocumentReading.Valid<PublishedTable>(PublishedTable table) -> install(table);
      case DocumentReading.Invalid<PublishedTable>(var problems) ->
          throw new IOException(
              "expected a table in "
                  + file
                  + ", found problems, the first at "
                  + problems.getFirst());
    }
  }

  private void install(PublishedTable table) throws IOException {
    if (table.version() <= current.version()) {
      throw new IOException(
          "expected a version above "
              + current.version()
              + " in "
              + file
              + ", found "
              + table.version());
    }
    seal(table.registry().services().stream().anyMatch(RegisteredService::async));
    current = BindingTableBuilder.of(table, this::compiled, kroneckerCounters);
    LOG.info("binding table {} is in force", table.version());
  }

  /**
   * Reads the secret of callbacks: it exists once a service has been async.
   *
   * @param needed whether one is async now
   */
  private void seal(boolean needed) throws IOException {
    if (callbackAddresses == null) {
      byte[] secret = folder.callbackSecret(needed);
      callbackAddresses = secret == null ? null : new CallbackAddresses(secret, callbackBase);
    }
  }

  private Expression<Payload> compiled(String source) {
    return Objects.requireNonNull(compiler.compile(source, Set.of(), _ -> {}), "it was checked");
  }

  @Override
  public void close() {
    closed.countDown();
    ObservationSender sending = sender;
    if (sending != null) {
      sending.close();
    }
  }
}

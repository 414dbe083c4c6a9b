package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.PublisherPool;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DirectoryDefinitionStore;
import dev.pinion.core.graph.GraphSource;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogFollower;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.recovery.JournalFollower;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the history of an engine: reads all of its journals in turn, and deletes what has expired.
 * Used by one thread; the engine never waits for it.
 */
public final class HistoryProjection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryProjection.class);

  private static final String MADE_AGAIN =
      "a new one is made from the remaining journals; instances that ended before these"
          + " begin are not in it, and subscribers may be sent events again";

  private final Path data;
  private final EngineLimits limits;
  private final Clock clock;
  private final Runnable progress;
  private final boolean afterFailure;
  private final PayloadCodec codec;
  private final GraphSource graphs;
  private final HeapAccount heap;
  private final HistoryDatabase database;
  private final Outbox outbox;
  private final HistoryWriter writer;

  /** Room of the file on its volume; null for a server. */
  private final @Nullable HistoryRoom room;

  private final Map<String, JournalConsumer> logs = new TreeMap<>();

  /** Journals whose last pass failed. */
  private final Map<String, Unreadable> unreadable = new TreeMap<>();

  private long nextSweepNanos;
  private @Nullable String lastFailure;

  /** Kinds of failures that were reported since the last pass without any. */
  private final Set<String> told = new HashSet<>();

  private boolean toBeginAnew;

  /**
   * An unreadable journal.
   *
   * @param what the failure
   * @param againNanos time of the next attempt
   */
  private record Unreadable(String what, long againNanos) {}

  /**
   * A projection.
   *
   * @param data the data directory of the engine
   * @param progress run after each step of a pass, as a whole pass may take long
   * @param afterFailure whether the previous process failed by itself, for instance for want of
   *     memory; false when it was killed
   * @throws IOException when its definitions cannot be read
   */
  public HistoryProjection(
      Path data,
      HistoryDatabase database,
      EngineLimits limits,
      Clock clock,
      Runnable progress,
      boolean afterFailure)
      throws IOException {
    this(data, database, limits, clock, progress, afterFailure, room(data, database, limits));
  }

  private static @Nullable HistoryRoom room(
      Path data, HistoryDatabase database, EngineLimits limits) throws IOException {
    Path file = database.file();
    return file == null ? null : HistoryRoom.of(data, file, limits);
  }

  /** The same with another volume. */
  HistoryProjection(
      Path data,
      HistoryDatabase database,
      EngineLimits limits,
      Clock clock,
      Runnable progress,
      boolean afterFailure,
      @Nullable HistoryRoom room)
      throws IOException {
    this.room = room;
    this.data = data;
    this.afterFailure = afterFailure;
    this.progress = progress;
    this.limits = limits;
    this.clock = clock;
    this.codec = new PayloadCodec(limits.json());
    this.graphs = new Definitions(data, limits);
    this.heap = JournalFollower.heap(limits);
    this.database = database;
    database.forgetDamage();
    SubscriptionStore folder = new SubscriptionStore(data, limits, SinkPolicy.DEFAULT, clock);
    this.outbox = new Outbox(folder, clock);
    Eviction eviction = room == null ? null : new Eviction(room, clock);
    this.writer = new HistoryWriter(database, codec, limits, outbox, eviction);
    this.nextSweepNanos = clock.nanoTime();
  }

  /** Has events published to subscriptions of the configuration, too. Before the first pass. */
  public HistoryProjection publishingTo(List<Subscription> standing) {
    outbox.add(standing);
    return this;
  }

  /**
   * Creates the dispatcher that publishes events. To be driven by the thread of this projection,
   * after a pass.
   *
   * @param policy permitted destinations of events
   * @param wake run by other threads when there is capacity for more events
   */
  public OutboxDispatcher dispatcher(SinkPolicy policy, ThreadFactory threads, Runnable wake) {
    return new OutboxDispatcher(
        database,
        outbox,
        new PublisherPool(limits, codec, policy, threads, wake),
        limits.publish(),
        clock,
        this::setAsideIfDamaged);
  }

  /** Records on disk that are not in the history, checked now; -1 while unknown. */
  public long lag() {
    long all = 0;
    for (JournalConsumer log : logs.values()) {
      long lag = log.lag();
      if (lag < 0) {
        return -1;
      }
      all += lag;
    }
    return all;
  }

  /** Failure of the last pass, or the reason for slow progress; null for nothing. */
  public @Nullable String failure() {
    String failed = lastFailure;
    for (JournalConsumer log : logs.values()) {
      failed = failed == null ? log.trouble() : failed;
    }
    return failed == null ? writer.trouble() : failed;
  }

  /**
   * Whether the database was replaced by one that has to be filled from the beginning: its users
   * have to start again.
   */
  public boolean isToBeginAnew() {
    return toBeginAnew;
  }

  /** Whether the process ended while it read, so that nothing else should need memory beside it. */
  public boolean isCareful() {
    return logs.values().stream().anyMatch(JournalConsumer::isCareful);
  }

  /** Number of instances that are left out because they do not fit into the process. */
  public int skippedInstances() {
    return logs.values().stream().mapToInt(JournalConsumer::skippedInstances).sum();
  }

  /**
   * Processes a batch of each journal.
   *
   * @return milliseconds until there may be more to do; 0 for immediately
   */
  public int poll() {
    int read = 0;
    String failed = null;
    if (isReplaced()) {
      return limits.history().retryMillis();
    }
    try {
      database.requireUndamaged();
      findJournals();
      read = readEach();
    } catch (SQLException | IOException | RuntimeException e) {
      failed = failed(e);
    }
    if (!toBeginAnew) {
      failed = sweep(failed);
    }
    boolean waits = failed != null;
    failed = waits ? failed : firstUnreadable();
    if (failed == null && lastFailure != null) {
      told.clear();
      LOG.info("the history continues");
    }
    lastFailure = failed;
    if (waits) {
      return limits.history().retryMillis();
    }
    return read > 0 ? 0 : limits.history().pollMillis();
  }

  /** An unreadable journal does not delay the others; the database is common to all. */
  private int readEach() throws SQLException, IOException {
    int read = 0;
    for (Map.Entry<String, JournalConsumer> each : logs.entrySet()) {
      Unreadable before = unreadable.get(each.getKey());
      if (before == null || clock.nanoTime() - before.againNanos() >= 0) {
        read += read(each.getKey(), each.getValue());
      }
    }
    return read;
  }

  private int read(String name, JournalConsumer log) throws SQLException, IOException {
    try {
      int read = poll(log);
      unreadable.remove(name);
      return read;
    } catch (IOException | RuntimeException e) {
      if (EmbeddedDatabaseFile.code(e) != 0) {
        throw e;
      }
      cannotRead(name, e);
      return 0;
    }
  }

  private void cannotRead(String name, Exception e) {
    long retryNanos = TimeUnit.MILLISECONDS.toNanos(limits.history().retryMillis());
    String what = "journal " + name + " cannot be read: " + e.getMessage();
    unreadable.put(name, new Unreadable(what, clock.nanoTime() + retryNanos));
    tell(what, what, e);
  }

  /** Logs a failure of a kind once. */
  private void tell(String kind, String what, Exception e) {
    if (told.add(kind)) {
      LOG.warn("the history waits and tries again: {}", what);
    }
    LOG.debug("the history waits", e);
  }

  private @Nullable String firstUnreadable() {
    return unreadable.values().stream().map(Unreadable::what).findFirst().orElse(null);
  }

  /** Detects that the file was deleted or replaced. */
  private boolean isReplaced() {
    if (!toBeginAnew && writer.isReplaced()) {
      toBeginAnew = true;
      LOG.warn(
          "expected the database of the history, {}, found it deleted or replaced; {}",
          database,
          MADE_AGAIN);
    }
    return toBeginAnew;
  }

  /** Logs a failure of a kind once, with advice. A damaged file is set aside. */
  private String failed(Exception e) {
    String aside = setAsideIfDamaged(e);
    if (aside != null) {
      return aside;
    }
    String what = String.valueOf(e.getMessage());
    String failed = e instanceof SQLException ? what + "; " + database.advice(e) : what;
    tell(
        EmbeddedDatabaseFile.code(e) == 0 ? what : "code " + EmbeddedDatabaseFile.code(e),
        failed,
        e);
    return failed;
  }

  /**
   * Sets a damaged file aside and describes that; null when it is not damaged, or stays in place.
   */
  private @Nullable String setAsideIfDamaged(Exception e) {
    if (!EmbeddedDatabaseFile.isDamage(e)) {
      return null;
    }
    writer.close();
    try {
      Path aside = database.setAsideIfDamaged(e, Instant.ofEpochMilli(clock.epochMillis()));
      if (aside == null) {
        return null;
      }
      toBeginAnew = true;
      LOG.error(
          "the database of the history was damaged ({}) and is kept as {}; {}",
          e.getMessage(),
          aside,
          MADE_AGAIN);
      return "the database was damaged and is kept as " + aside;
    } catch (SQLException stays) {
      e.addSuppressed(stays);
      return null;
    }
  }

  private static int poll(JournalConsumer log) throws SQLException, IOException {
    try {
      return log.consume();
    } catch (JournalFollower.JournalContradictionException e) {
      LOG.debug("the history begins a journal again", e);
      return 1;
    } catch (LogFollower.NotMadeYetException e) {
      LOG.debug("a journal that is being made", e);
      return 0;
    }
  }

  /** Replicas may appear at any time, each with a journal. */
  private void findJournals() throws IOException {
    unreadable.keySet().retainAll(logs.keySet());
    Path root = data.resolve("journal");
    if (!Files.isDirectory(root)) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, "[0-9]*")) {
      for (Path folder : folders) {
        String name = String.valueOf(folder.getFileName());
        if (!logs.containsKey(name)) {
          add(name, folder);
        }
      }
    }
    if (room != null) {
      room.journals(logs.size());
    }
  }

  private void add(String name, Path folder) {
    try {
      if (!Files.isDirectory(folder)) {
        throw new IOException("expected the folder of a journal, found a file: " + folder);
      }
      Path history = data.resolve("history");
      JournalFollower.FollowerSettings followerSettings =
          new JournalFollower.FollowerSettings(
              new FileStorage(folder),
              limits,
              graphs,
              codec,
              clock,
              heap,
              history.resolve("cold-" + name));
      logs.put(
          name,
          new JournalConsumer(
              name, history, followerSettings, writer, limits.history(), progress, afterFailure));
    } catch (IOException e) {
      cannotRead(name, e);
    }
  }

  /**
   * Deletes instances beyond the retention, even while nothing can be written for lack of room.
   *
   * @param failed the earlier failure, or null
   * @return the failure, or null
   */
  private @Nullable String sweep(@Nullable String failed) {
    long now = clock.nanoTime();
    if (now - nextSweepNanos < 0) {
      return failed;
    }
    try {
      int deleted = writer.sweep(clock.epochMillis());
      writer.keepReserve();
      boolean more = deleted == HistoryRetention.MAX_AT_ONCE;
      nextSweepNanos = more ? now : now + TimeUnit.SECONDS.toNanos(limits.history().sweepSeconds());
      return failed;
    } catch (SQLException | RuntimeException e) {
      return failed == null ? failed(e) : failed;
    }
  }

  @Override
  public void close() {
    logs.values().forEach(JournalConsumer::close);
    writer.close();
  }

  /** Definitions as stored by replicas, read again when one is unknown. */
  private static final class Definitions implements GraphSource {
    private final DefinitionRegistry registry;

    Definitions(Path data, EngineLimits limits) throws IOException {
      this.registry =
          new DefinitionRegistry(limits, new DirectoryDefinitionStore(data.resolve("definitions")));
    }

    @Override
    public @Nullable ProcessGraph graph(DefinitionKey key) {
      ProcessGraph graph = registry.graph(key);
      if (graph == null) {
        registry.refresh();
        graph = registry.graph(key);
      }
      return graph;
    }

    @Override
    public @Nullable ProcessGraph graph(DefinitionKey key, long fingerprint) {
      ProcessGraph graph = registry.graph(key, fingerprint);
      if (graph == null || graph.fingerprint() != fingerprint) {
        registry.refresh();
        graph = registry.graph(key, fingerprint);
      }
      return graph;
    }
  }
}

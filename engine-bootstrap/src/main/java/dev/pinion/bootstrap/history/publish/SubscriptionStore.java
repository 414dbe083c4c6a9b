package dev.pinion.bootstrap.history.publish;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.PublishLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Subscriptions.InvalidSubscriptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions as files, one each, complete at any time: a file is written beside its place,
 * forced, renamed, and its folder forced before the creation is reported. Shared by all replicas
 * and the publishing process. For any thread.
 */
public final class SubscriptionStore {
  private static final Logger LOG = LoggerFactory.getLogger(SubscriptionStore.class);

  /** Time for which an expired one is kept, so that none is deleted that was renewed meanwhile. */
  static final long GRACE_MILLIS = 60_000;

  private static final String EXTENSION = ".json";
  private static final String UNFINISHED = ".new-";
  private static final Pattern ID = Pattern.compile("s_[0-9a-f]{32}");

  private final Path folder;
  private final PublishLimits limits;
  private final PayloadCodec codec;
  private final SubscriptionReader reader;
  private final Clock clock;

  /** Damaged files that were logged. */
  private final Set<Path> damaged = ConcurrentHashMap.newKeySet();

  /**
   * The subscriptions of an engine.
   *
   * @param data its data directory
   * @param policy permitted destinations of events: other sinks are refused
   */
  public SubscriptionStore(Path data, EngineLimits limits, SinkPolicy policy, Clock clock) {
    this.folder = data.resolve("subscriptions");
    this.limits = limits.publish();
    this.codec = new PayloadCodec(limits.json());
    this.reader = new SubscriptionReader(limits, policy);
    this.clock = clock;
  }

  /** Creates a subscription. */
  public synchronized Subscription create(Payload wish)
      throws InvalidSubscriptionException, IOException {
    String id = "s_" + UUID.randomUUID().toString().replace("-", "");
    Subscription made = reader.fromRequest(wish, id, clock.epochMillis());
    if (list().size() >= limits.maxSubscriptions()) {
      throw InvalidSubscriptionException.atLimit("publish.maxSubscriptions");
    }
    write(made);
    return made;
  }

  /** Renews a subscription, with changes; null if it does not exist. */
  public synchronized @Nullable Subscription change(String id, Payload changes)
      throws InvalidSubscriptionException, IOException {
    Subscription before = find(id);
    if (before == null) {
      return null;
    }
    Subscription changed = reader.changed(before, changes, clock.epochMillis());
    write(changed);
    return changed;
  }

  /** A subscription that has not expired, or null. */
  public @Nullable Subscription find(String id) throws IOException {
    Subscription found = ID.matcher(id).matches() ? read(file(id)) : null;
    return found != null && found.isInForce(clock.epochMillis()) ? found : null;
  }

  /** Ends a subscription; returns whether it existed. */
  public synchronized boolean delete(String id) throws IOException {
    if (find(id) == null) {
      return false;
    }
    boolean deleted = Files.deleteIfExists(file(id));
    force(folder);
    return deleted;
  }

  /**
   * Ends a subscription, unless it was renewed or changed meanwhile.
   *
   * @return whether it was ended
   */
  public synchronized boolean end(Subscription asItWas) throws IOException {
    Path file = file(asItWas.id());
    if (!asItWas.equals(read(file))) {
      return false;
    }
    boolean deleted = Files.deleteIfExists(file);
    force(folder);
    return deleted;
  }

  /** All unexpired ones, by id. */
  public List<Subscription> list() throws IOException {
    long now = clock.epochMillis();
    List<Subscription> all = new ArrayList<>();
    for (Subscription each : stored()) {
      if (each.isInForce(now)) {
        all.add(each);
      }
    }
    return all;
  }

  /** Deletes those that expired some time ago. */
  public void sweep() throws IOException {
    long then = clock.epochMillis() - GRACE_MILLIS;
    for (Subscription each : stored()) {
      if (!each.isInForce(then)) {
        Files.deleteIfExists(file(each.id()));
      }
    }
  }

  private List<Subscription> stored() throws IOException {
    List<Subscription> all = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return all;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "s_*" + EXTENSION)) {
      for (Path file : files) {
        readInto(all, file);
      }
    }
    all.sort(Comparator.comparing(Subscription::id));
    return all;
  }

  /** A damaged file must not hide the others. */
  private void readInto(List<Subscription> all, Path file) {
    try {
      Subscription each = read(file);
      if (each != null) {
        all.add(each);
      }
    } catch (IOException e) {
      if (damaged.add(file)) {
        LOG.error("nothing is sent for a subscription; repair or delete it: {}", e.getMessage());
      }
    }
  }

  private Path file(String id) {
    return folder.resolve(id + EXTENSION);
  }

  private @Nullable Subscription read(Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return reader.stored(codec.read(bytes, 0, bytes.length));
    } catch (NoSuchFileException e) {
      return null;
    } catch (PayloadSyntaxException | InvalidSubscriptionException e) {
      throw new IOException(
          "expected a subscription in " + file + ", found something else: " + e.getMessage(), e);
    }
  }

  private void write(Subscription subscription) throws IOException {
    createFolder();
    Path file = file(subscription.id());
    Path unfinished = folder.resolve(UNFINISHED + subscription.id());
    ByteBuffer bytes = ByteBuffer.wrap(codec.toBytes(subscription.toPayload()));
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    force(folder);
  }

  private void createFolder() throws IOException {
    if (!Files.isDirectory(folder)) {
      DataSubdirectory.make(folder);
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        force(parent);
      }
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** The folder, for detecting changes. */
  Path path() {
    return folder;
  }
}

package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageLock;
import dev.pinion.core.journal.disk.StorageMapping;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory. It stores forced data separately, by sectors of 512 bytes; loses power under a
 * seed; fails the nth operation of a kind, once or from then on; lies; and stops the process at the
 * nth operation that changes something. Single-threaded.
 */
final class SimulatedStorage implements Storage {
  /** Operations that change the disk. */
  enum Op {
    CREATE,
    PREALLOCATE,
    WRITE,
    FORCE,
    MAP_WRITE,
    MAP_FORCE,
    RENAME,
    DELETE,
    FORCE_DIRECTORY
  }

  /** The end of the process; no code of it runs after this. */
  static final class Crash extends RuntimeException {
    Crash(String where) {
      super(where);
    }
  }

  /** A change of the directory that was not forced yet; {@code to} is null unless renamed. */
  private record Change(String name, @Nullable String to, @Nullable SimulatedFile file) {}

  private record Fault(
      Op op, int nth, boolean sticky, BiFunction<String, IOException, IOException> kind) {}

  private final Map<String, Integer> locks = new HashMap<>();
  private TreeMap<String, SimulatedFile> names = new TreeMap<>();
  private TreeMap<String, SimulatedFile> namesOnDisk = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private Random random = new Random(0);
  private @Nullable Fault fault;
  private int faultOps;
  private boolean lying;
  private int crashAt;
  private boolean down;

  /** Number of operations that changed something. */
  int operations;

  /** Number of injected failures. */
  int failures;

  /** Number of forces that did nothing. */
  int lies;

  /** Whether the process was stopped by {@link #crashAt}. */
  boolean crashed;

  /** Another disk with the same content, all of it forced, with no fault and no lock. */
  SimulatedStorage copy() {
    SimulatedStorage copy = new SimulatedStorage();
    names.forEach(copy::put);
    return copy;
  }

  private void put(String name, SimulatedFile file) {
    put(name, file.seen);
  }

  /** Puts a file there from outside. */
  void put(String name, byte[] content) {
    SimulatedFile file = new SimulatedFile();
    file.become(content);
    names.put(name, file);
    namesOnDisk.put(name, file);
  }

  /** Content of a file. */
  byte[] content(String name) {
    SimulatedFile file = names.get(name);
    if (file == null) {
      throw new AssertionError("no file " + name);
    }
    return file.seen.clone();
  }

  /** Removes a file from outside. */
  void remove(String name) {
    names.remove(name);
    namesOnDisk.remove(name);
  }

  /** Stops the process in the middle of the nth operation from now. */
  void crashAt(int nth, long seed) {
    crashAt = operations + nth;
    random = new Random(seed);
  }

  /** Fails the nth operation of a kind from now, and all after it when sticky. */
  void fail(Op op, int nth, boolean sticky, boolean noSpace) {
    fail(op, nth, sticky, noSpace ? NoSpaceException::new : (_, failure) -> failure);
  }

  /**
   * Fails the nth operation of a kind from now, and all after it when sticky.
   *
   * @param kind factory of the exception, from its place and its cause
   */
  void fail(Op op, int nth, boolean sticky, BiFunction<String, IOException, IOException> kind) {
    fault = new Fault(op, nth, sticky, kind);
    faultOps = 0;
  }

  /** Ends all failures. */
  void heal() {
    fault = null;
    lying = false;
  }

  /** Makes later forces do nothing. */
  void lie() {
    lying = true;
  }

  /** Writes a file to disk, as the operating system may do at any time. */
  void writeBack(String name) {
    SimulatedFile file = names.get(name);
    if (file != null) {
      file.force();
    }
  }

  /** Ends the process but not its machine: written data stays, the locks do not. */
  void restart() {
    locks.clear();
    crashAt = 0;
    down = false;
  }

  /**
   * Ends the process as {@link #restart()} does, after a kill on purpose: a planned crash is still
   * to come.
   */
  void killed() {
    locks.clear();
  }

  /** Restores power after a loss: unforced data may be there or not, sector by sector. */
  void losePower(long seed) {
    Random chance = new Random(seed);
    Set<String> doubtful = new HashSet<>();
    boolean inOrder = chance.nextBoolean();
    double kept = chance.nextInt(4) / 3.0;
    for (Change change : changes) {
      String to = change.to();
      boolean after = doubtful.contains(change.name()) || (to != null && doubtful.contains(to));
      if (after || (inOrder && !doubtful.isEmpty()) || chance.nextDouble() >= kept) {
        doubtful.add(change.name());
        if (to != null) {
          doubtful.add(to);
        }
      } else {
        apply(namesOnDisk, change);
      }
    }
    changes.clear();
    names = new TreeMap<>(namesOnDisk);
    // in the order of names, so that the result depends on the seed alone
    new LinkedHashSet<>(names.values()).forEach(each -> each.losePower(chance));
    restart();
  }

  private static void apply(Map<String, SimulatedFile> target, Change change) {
    SimulatedFile file = change.file();
    String to = change.to();
    if (to != null) {
      SimulatedFile moved = target.remove(change.name());
      if (moved != null) {
        target.put(to, moved);
      }
    } else if (file != null) {
      target.put(change.name(), file);
    } else {
      target.remove(change.name());
    }
  }

  /** Counts an operation, fails it or stops the process before it. */
  private void before(Op op, String where) throws IOException {
    checkUp(where);
    operations++;
    Fault planned = fault;
    if (planned != null && planned.op() == op) {
      faultOps++;
      if (faultOps == planned.nth() || (planned.sticky() && faultOps > planned.nth())) {
        failures++;
        IOException failure = new IOException("Input/output error (injected) in " + where);
        throw planned.kind().apply(where, failure);
      }
    }
    // a stopped write has done a part of its work: see written()
    boolean partial = op == Op.WRITE || op == Op.MAP_WRITE || op == Op.PREALLOCATE;
    if (operations == crashAt && !partial && random.nextBoolean()) {
      throw crash(where);
    }
  }

  /** Stops the process after an operation, when that is due and it was not stopped before it. */
  private void after(String where) {
    if (operations == crashAt) {
      throw crash(where);
    }
  }

  private Crash crash(String where) {
    down = true;
    crashed = true;
    return new Crash(where);
  }

  private void checkUp(String where) {
    if (down) {
      throw new Crash("already stopped: " + where);
    }
  }

  /** Number of bytes of a write that are done: all, or a part when the process is stopped in it. */
  private int written(int bytes) {
    return operations == crashAt ? random.nextInt(bytes + 1) : bytes;
  }

  private void change(Change change) {
    apply(names, change);
    changes.add(change);
  }

  private SimulatedFile find(String name) throws IOException {
    checkUp(name);
    SimulatedFile file = names.get(name);
    if (file == null) {
      throw new FileNotFoundException(location(name));
    }
    return file;
  }

  @Override
  public List<String> list() {
    checkUp("list");
    return List.copyOf(names.keySet());
  }

  @Override
  public StorageFile create(String name) throws IOException {
    before(Op.CREATE, name);
    if (names.containsKey(name)) {
      throw new FileAlreadyExistsException(location(name));
    }
    SimulatedFile file = new SimulatedFile();
    change(new Change(name, null, file));
    after(name);
    return new Open(name, file);
  }

  @Override
  public StorageFile open(String name) throws IOException {
    return new Open(name, find(name));
  }

  @Override
  public StorageFile openToRead(String name) throws IOException {
    return new Open(name, find(name));
  }

  @Override
  public StorageMapping map(String name) throws IOException {
    return new Mapping(name, find(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    before(Op.RENAME, from);
    find(from);
    change(new Change(from, to, null));
    after(from);
  }

  @Override
  public void delete(String name) throws IOException {
    before(Op.DELETE, name);
    find(name);
    change(new Change(name, null, null));
    after(name);
  }

  @Override
  public void forceDirectory() throws IOException {
    before(Op.FORCE_DIRECTORY, "directory");
    if (lying) {
      lies++;
    } else {
      namesOnDisk = new TreeMap<>(names);
      changes.clear();
    }
    after("directory");
  }

  @Override
  public StorageLock lock(String name, String holder) throws IOException {
    checkUp(name);
    if (locks.containsKey(name)) {
      throw new LogLockedException(location(name), "1");
    }
    if (!names.containsKey(name)) {
      put(name, new byte[0]);
    }
    return hold(name, -1);
  }

  @Override
  public StorageLock lockShared(String name) throws IOException {
    find(name);
    return hold(name, 1);
  }

  private StorageLock hold(String name, int count) {
    locks.merge(name, count, Integer::sum);
    return new StorageLock() {
      private boolean held = true;

      @Override
      public void close() {
        if (held) {
          held = false;
          locks.computeIfPresent(name, (_, holders) -> holders == count ? null : holders - count);
        }
      }
    };
  }

  @Override
  public long usableBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String location(String name) {
    return "disk/" + name;
  }

  private static byte[] bytes(ByteBuffer source) {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    return bytes;
  }

  /** An open file. */
  private final class Open implements StorageFile {
    private final String name;
    private final SimulatedFile file;

    Open(String name, SimulatedFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() {
      return file.seen.length;
    }

    @Override
    public int read(ByteBuffer target, long offset) {
      checkUp(name);
      int bytes = (int) Math.max(0, Math.min(target.remaining(), file.seen.length - offset));
      if (bytes > 0) {
        target.put(file.seen, (int) offset, bytes);
      }
      return bytes;
    }

    @Override
    public void write(ByteBuffer source, long offset) throws IOException {
      before(Op.WRITE, name);
      byte[] bytes = bytes(source);
      file.write(bytes, written(bytes.length), offset);
      after(name);
    }

    @Override
    public void preallocate(long bytes) throws IOException {
      before(Op.PREALLOCATE, name);
      file.write(new byte[(int) bytes], written((int) bytes), 0);
      after(name);
    }

    @Override
    public void force() throws IOException {
      forceFile(Op.FORCE, name, file);
    }

    @Override
    public void close() {}
  }

  private void forceFile(Op op, String name, SimulatedFile file) throws IOException {
    try {
      before(op, name);
    } catch (IOException e) {
      file.failForce();
      throw e;
    }
    if (lying) {
      lies++;
    } else {
      file.force();
    }
    after(name);
  }

  /** A mapped file. */
  private final class Mapping implements StorageMapping {
    private final String name;
    private final SimulatedFile file;

    Mapping(String name, SimulatedFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer source, int offset) throws IOException {
      before(Op.MAP_WRITE, name);
      byte[] bytes = bytes(source.duplicate());
      file.write(bytes, written(bytes.length), offset);
      after(name);
    }

    @Override
    public void force() throws IOException {
      forceFile(Op.MAP_FORCE, name, file);
    }

    @Override
    public void close() {}
  }
}

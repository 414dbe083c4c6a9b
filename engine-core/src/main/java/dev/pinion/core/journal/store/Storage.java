package dev.pinion.core.journal.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The file operations of a log, within one flat directory. A port: a simulation stands in for the
 * disk in tests, forgets what was not forced, fails and lies.
 *
 * <p>Names are file names without a path. Creating, renaming and deleting survive a loss of power
 * only after {@link #forceDirectory}. Methods may be called by several threads; a {@link
 * StorageFile} belongs to one.
 */
public interface Storage extends Closeable {
  /** The names of everything in the directory, sorted. */
  List<String> list() throws IOException;

  /**
   * Creates a file to read and write.
   *
   * @throws ShortageException when there is no room for it, or no file descriptor
   * @throws IOException also when the name is taken
   */
  StorageFile create(String name) throws IOException;

  /** Opens a file to read and write; fails when there is none. */
  StorageFile open(String name) throws IOException;

  /** Opens a file to read; fails when there is none. */
  StorageFile openToRead(String name) throws IOException;

  /** Maps a whole file into memory to read and write. */
  StorageMapping map(String name) throws IOException;

  /** Gives a file another name at once; a file of that name is replaced. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file; fails when there is none. */
  void delete(String name) throws IOException;

  /** Makes creations, renames and deletions so far survive a loss of power. */
  void forceDirectory() throws IOException;

  /**
   * Takes a lock that excludes every other holder, in this process or another, and writes who took
   * it into the file. The file is created when it is missing. Does not wait.
   *
   * @param holder who asks, for the message another one gets; empty leaves the file as it is
   * @throws LogLockedException when somebody holds the lock, exclusively or shared
   */
  StorageLock lock(String name, String holder) throws IOException;

  /**
   * Takes a lock that excludes exclusive holders only, and waits while there is one. The file must
   * exist.
   */
  StorageLock lockShared(String name) throws IOException;

  /** Bytes that may still be written to the disk; {@link Long#MAX_VALUE} when that is not known. */
  long usableBytes();

  /** Lets go of what is kept open between calls; a later call takes it up again. */
  @Override
  void close() throws IOException;

  /** Where a file is, for messages. */
  String place(String name);
}

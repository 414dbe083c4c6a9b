package dev.pinion.core.journal.disk;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The file operations of a log, within one flat directory. A port: in tests a simulated disk loses
 * unforced data, fails and lies.
 *
 * <p>Names are file names without a path. Creating, renaming and deleting survive a loss of power
 * only after {@link #forceDirectory}. Methods may be called by several threads; a {@link
 * StorageFile} belongs to one.
 */
public interface Storage extends Closeable {
  /** Names of all files in the directory, sorted. */
  List<String> list() throws IOException;

  /**
   * Creates a file for reading and writing.
   *
   * @throws ResourceExhaustedException when there is no room for it, or no file descriptor
   * @throws IOException also when the name is taken
   */
  StorageFile create(String name) throws IOException;

  /** Opens a file for reading and writing; fails when there is none. */
  StorageFile open(String name) throws IOException;

  /** Opens a file for reading; fails when there is none. */
  StorageFile openToRead(String name) throws IOException;

  /** Maps a whole file into memory for reading and writing. */
  StorageMapping map(String name) throws IOException;

  /** Renames a file atomically; a file of the new name is replaced. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file; fails when there is none. */
  void delete(String name) throws IOException;

  /** Makes the creations, renames and deletions so far survive a loss of power. */
  void forceDirectory() throws IOException;

  /**
   * Takes a lock that excludes every other holder, in this process or another, and writes the
   * holder into the file. The file is created when it is missing. Does not wait.
   *
   * @param holder name of the holder, for the error of others; empty leaves the file unchanged
   * @throws LogLockedException when the lock is held, exclusively or shared
   */
  StorageLock lock(String name, String holder) throws IOException;

  /**
   * Takes a lock that excludes only exclusive holders, and waits while there is one. The file must
   * exist.
   */
  StorageLock lockShared(String name) throws IOException;

  /** Bytes that may still be written to the disk; {@link Long#MAX_VALUE} when that is not known. */
  long usableBytes();

  /** Closes files that are kept open between calls; a later call opens them again. */
  @Override
  void close() throws IOException;

  /** Path of a file, for messages. */
  String location(String name);
}

package dev.pinion.handlers.remote.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The values of an untrusted frame, in the order in which they were written. */
interface FrameInput {
  /** A number from 0 to 255. */
  int u8() throws MalformedFrameException;

  boolean flag() throws MalformedFrameException;

  int i32() throws MalformedFrameException;

  long i64() throws MalformedFrameException;

  UUID uuid() throws MalformedFrameException;

  /** Number of the items that follow, at most as many as the frame has bytes. */
  int count(int most) throws MalformedFrameException;

  byte[] blob() throws MalformedFrameException;

  String text() throws MalformedFrameException;

  @Nullable String optional() throws MalformedFrameException;

  /** Refuses further values. */
  void end() throws MalformedFrameException;

  /** The current position, for messages. */
  String at();

  /** One of the constants of an enum, by its position. */
  default <E extends Enum<E>> E constant(List<E> all) throws MalformedFrameException {
    int position = u8();
    if (position >= all.size()) {
      throw new MalformedFrameException(
          "expected a number below " + all.size() + " " + at() + ", found " + position);
    }
    return all.get(position);
  }

  default List<UUID> uuids(int most) throws MalformedFrameException {
    int count = count(most);
    List<UUID> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(uuid());
    }
    return all;
  }
}

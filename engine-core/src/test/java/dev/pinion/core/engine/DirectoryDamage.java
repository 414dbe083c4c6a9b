package dev.pinion.core.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Possible damage to the files of a stopped data directory: bits, lengths, files lost and swapped.
 */
final class DirectoryDamage {
  /** Bits that are flipped in a file, spread over its content. */
  private static final int FLIPS = 8;

  /** In smaller files a bit of every byte is flipped. */
  private static final int SMALL_BYTES = 256;

  private DirectoryDamage() {}

  /**
   * A change of files.
   *
   * @param kind kind of the change
   * @param files the changed files, relative to the directory; a message must name one of them
   * @param offset place of the change, for kinds that have one
   */
  record Change(Kind kind, List<Path> files, int offset) {
    void apply(Path directory) throws IOException {
      Path file = directory.resolve(files.getFirst());
      switch (kind) {
        case FLIP -> {
          byte[] content = Files.readAllBytes(file);
          content[offset] ^= (byte) (1 << offset % 8);
          Files.write(file, content);
        }
        case LENGTH -> Files.write(file, Arrays.copyOf(Files.readAllBytes(file), offset));
        case DELETE -> Files.delete(file);
        case SWAP -> {
          Path other = directory.resolve(files.getLast());
          Path aside = directory.resolve("aside");
          Files.move(file, aside);
          Files.move(other, file);
          Files.move(aside, other);
        }
        case REPLACE ->
            Files.copy(
                file,
                directory.resolve(files.getLast()),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** The kinds of changes. */
  enum Kind {
    FLIP,
    LENGTH,
    DELETE,
    SWAP,
    REPLACE
  }

  /** The changes of every file of a directory, in the order of files. */
  static List<Change> of(Path directory) throws IOException {
    List<Change> all = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.filter(Files::isRegularFile).map(directory::relativize).sorted().toList();
    }
    for (Path file : files) {
      List<Path> one = List.of(file);
      byte[] content = Files.readAllBytes(directory.resolve(file));
      flips(content).forEach(offset -> all.add(new Change(Kind.FLIP, one, offset)));
      for (int length : new TreeSet<>(List.of(0, content.length / 2, content.length + 512))) {
        if (length != content.length) {
          all.add(new Change(Kind.LENGTH, one, length));
        }
      }
      all.add(new Change(Kind.DELETE, one, 0));
      for (Path other : files) {
        if (other.compareTo(file) > 0) {
          all.add(new Change(Kind.SWAP, List.of(file, other), 0));
        }
        if (!other.equals(file)) {
          all.add(new Change(Kind.REPLACE, List.of(file, other), 0));
        }
      }
    }
    return all;
  }

  /** Places spread over the content of a file, and one among the zeros after it. */
  private static Set<Integer> flips(byte[] content) {
    int used = content.length;
    while (used > 0 && content[used - 1] == 0) {
      used--;
    }
    Set<Integer> offsets = new TreeSet<>();
    int flips = used < SMALL_BYTES ? used : FLIPS;
    for (int i = 0; i < flips; i++) {
      offsets.add(used * i / flips);
    }
    offsets.add(used - 1);
    offsets.add((used + content.length) / 2);
    offsets.removeIf(offset -> offset < 0 || offset >= content.length);
    return offsets;
  }
}

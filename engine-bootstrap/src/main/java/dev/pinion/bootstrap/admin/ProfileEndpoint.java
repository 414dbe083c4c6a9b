package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.protocol.ProfileRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes orders for profiles. Anybody on the machine can reach this listener, so the caller must
 * prove to be the user of the engine: the caller names a folder that belongs to that user and that
 * nobody else can enter, and knows the content of a file there. The recording is written there, and
 * the folder is deleted when it is no longer needed: without the proof, a caller could name any
 * other folder.
 */
final class ProfileEndpoint {
  private static final Pattern QUERY =
      Pattern.compile("seconds=(\\d{1,4})&client=(\\d{1,18})&token=([0-9a-f-]{36})&folder=(.+)");

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  private ProfileEndpoint() {}

  /**
   * Reads the order of a request.
   *
   * @param query query of the address, decoded
   * @throws IllegalArgumentException with one sentence, when the query is invalid
   * @throws IOException when the folder cannot be read
   */
  static ProfileRequest request(String query) throws IOException {
    Matcher matcher = QUERY.matcher(query);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected ?seconds=, &client= with a process id, &token= and &folder= with a path, found ?"
              + query);
    }
    ProfileRequest order =
        new ProfileRequest(
            Integer.parseInt(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            path(matcher.group(4)));
    if (!isOwn(order.folder()) || !holds(order.folder(), matcher.group(3))) {
      throw new IllegalArgumentException(
          "expected a folder of the user that the engine runs as, with permissions rwx------ and"
              + " the token in it, found "
              + order.folder());
    }
    return order;
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("expected the path of a folder, found " + text, e);
    }
  }

  private static boolean holds(Path folder, String token) throws IOException {
    Path file = folder.resolve(ProfileRequest.TOKEN);
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.size(file) == token.length()
        && Files.readString(file).equals(token);
  }

  /** A file created by this process has the owner that the folder must have. */
  private static boolean isOwn(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || !Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE)
        || !Files.isWritable(folder)) {
      return false;
    }
    Path probe = Files.createTempFile(folder, "owner", "");
    try {
      return Files.getOwner(probe).equals(Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS));
    } finally {
      Files.delete(probe);
    }
  }
}

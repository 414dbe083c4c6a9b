package dev.pinion.bootstrap.protocol;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An order to a replica or the broker to profile itself, as a line of {@link ReplicaProtocol}.
 *
 * <p>All files of the recording are in the client's folder. When the folder is deleted or the
 * client has ended, the recording ends at once and deletes the folder.
 *
 * @param seconds duration, 1 to {@value #MAX_SECONDS}
 * @param client process id of the requesting client
 * @param folder absolute path of a folder that only the user of the engine can enter
 */
public record ProfileRequest(int seconds, long client, Path folder) {
  /** Longest profile. */
  public static final int MAX_SECONDS = 600;

  /**
   * File of the folder with a text that the client also sends to the parent; see the listener for
   * operators.
   */
  public static final String TOKEN = "token";

  /** Longest time of a recording to begin and to be written, besides its duration. */
  public static final Duration GRACE = Duration.ofSeconds(30);

  private static final String WORD = "@profile";
  private static final Pattern LINE =
      Pattern.compile(Pattern.quote(WORD) + " (\\d{1,4}) (\\d{1,18}) (/[^\\p{Cntrl}]*)");

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException with one sentence, when a value is out of its bounds
   */
  public ProfileRequest {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "expected a profile of 1 to " + MAX_SECONDS + " seconds, found " + seconds);
    }
    if (!folder.isAbsolute() || !LINE.matcher(line(seconds, client, folder)).matches()) {
      throw new IllegalArgumentException(
          "expected the absolute path of a folder without control characters, found " + folder);
    }
  }

  /** Line of the protocol. */
  public String line() {
    return line(seconds, client, folder);
  }

  private static String line(int seconds, long client, Path folder) {
    return WORD + " " + seconds + " " + client + " " + folder;
  }

  /** Reads a line of the protocol; null when it is another one. */
  public static @Nullable ProfileRequest parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? new ProfileRequest(
            Integer.parseInt(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Path.of(matcher.group(3)))
        : null;
  }

  /** File of a process's complete recording. */
  public Path recording(ProfiledProcess process) {
    return folder.resolve(process.file() + ".jfr");
  }

  /** File for one sentence of a process that cannot record. */
  public Path refusal(ProfiledProcess process) {
    return folder.resolve(process.file() + ".refusal");
  }

  /** Folder for a process's recorder meanwhile. */
  public Path recorder(ProfiledProcess process) {
    return folder.resolve(process.file() + ".recorder");
  }
}

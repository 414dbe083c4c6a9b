package dev.pinion.bootstrap.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a replica or the broker is told so that it profiles itself, as a line of {@link
 * ReplicaProtocol}.
 *
 * <p>Everything that the recording needs on disk is in the client's folder. When the folder or the
 * client is gone, the recording ends at once and takes the folder with it.
 *
 * @param seconds how long, 1 to {@value #MAX_SECONDS}
 * @param client the process that asked for it, by its id
 * @param folder an absolute path, of a folder that only the user of the engine can enter
 */
public record ProfileOrder(int seconds, long client, Path folder) {
  /** The longest profile. */
  public static final int MAX_SECONDS = 600;

  /** File of the folder whose text is what the client also tells the parent; see the admin desk. */
  public static final String TOKEN = "token";

  /** Time that a recording may take to begin and to be written, beside the time it lasts. */
  public static final Duration GRACE = Duration.ofSeconds(30);

  private static final String WORD = "@profile";
  private static final Pattern LINE =
      Pattern.compile(Pattern.quote(WORD) + " (\\d{1,4}) (\\d{1,18}) (/[^\\p{Cntrl}]*)");

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException with one sentence, when something is out of its bounds
   */
  public ProfileOrder {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(
          "expected a profile of 1 to " + MAX_SECONDS + " seconds, found " + seconds);
    }
    if (!folder.isAbsolute() || !LINE.matcher(line(seconds, client, folder)).matches()) {
      throw new IllegalArgumentException(
          "expected the absolute path of a folder without control characters, found " + folder);
    }
  }

  /** The line of the protocol. */
  public String line() {
    return line(seconds, client, folder);
  }

  private static String line(int seconds, long client, Path folder) {
    return WORD + " " + seconds + " " + client + " " + folder;
  }

  /** Reads a line of the protocol; null when it is about something else. */
  public static @Nullable ProfileOrder parse(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? new ProfileOrder(
            Integer.parseInt(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Path.of(matcher.group(3)))
        : null;
  }

  /** Where the recording of a process is found once it is complete. */
  public Path recording(ProfiledProcess process) {
    return folder.resolve(process.file() + ".jfr");
  }

  /** Where a process writes one sentence when it cannot record. */
  public Path refusal(ProfiledProcess process) {
    return folder.resolve(process.file() + ".refusal");
  }

  /** Where a process has what its recorder needs meanwhile. */
  public Path recorder(ProfiledProcess process) {
    return folder.resolve(process.file() + ".recorder");
  }
}

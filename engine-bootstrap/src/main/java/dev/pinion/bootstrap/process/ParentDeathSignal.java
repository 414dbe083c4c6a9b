package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Words before the command of a child by which the kernel kills it when its parent ends, even if
 * the child is busy or stopped. They come first, so that this holds before anything else runs. A
 * child whose parent ended even earlier reads the end of its input.
 */
public final class ParentDeathSignal {
  private static final List<String> WORDS = List.of("setpriv", "--pdeathsig", "KILL");

  private ParentDeathSignal() {}

  /**
   * The words, where the system supports them.
   *
   * @param probe runs a command that does nothing
   * @return none where the command is missing or too old; the end of input remains
   */
  public static List<String> prefix(Confinement.Probe probe) {
    List<String> command = new ArrayList<>(WORDS);
    command.add("true");
    try {
      return probe.complaint(command).isEmpty() ? WORDS : List.of();
    } catch (IOException e) {
      return List.of(); // the command does not exist
    }
  }
}

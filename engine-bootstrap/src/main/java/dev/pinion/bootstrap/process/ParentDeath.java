package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The words before the command of a child by which the kernel kills it when its parent ends,
 * however busy or stopped the child is. They come first, so that this holds before anything else
 * runs. A child whose parent ended even before that reads the end of its input.
 */
public final class ParentDeath {
  private static final List<String> WORDS = List.of("setpriv", "--pdeathsig", "KILL");

  private ParentDeath() {}

  /**
   * The words, where the system has them.
   *
   * @param trial runs a command that does nothing
   * @return none where the command is missing or too old, which leaves the end of input
   */
  public static List<String> prefix(Confinement.Trial trial) {
    List<String> command = new ArrayList<>(WORDS);
    command.add("true");
    try {
      return trial.complaint(command).isEmpty() ? WORDS : List.of();
    } catch (IOException e) {
      return List.of(); // there is no such command
    }
  }
}

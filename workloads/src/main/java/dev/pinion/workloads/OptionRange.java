package dev.pinion.workloads;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses numbers outside the range of an option, with the name of the option. */
final class OptionRange {
  private OptionRange() {}

  /**
   * Checks a number.
   *
   * @param command the command that has the option
   * @throws ParameterException with one sentence when it is out of the range
   */
  static void require(CommandSpec command, String option, long found, long least, long most) {
    if (found < least || found > most) {
      throw new ParameterException(
          command.commandLine(),
          "expected " + option + " from " + least + " to " + most + ", found " + found);
    }
  }
}

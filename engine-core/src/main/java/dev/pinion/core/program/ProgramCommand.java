package dev.pinion.core.program;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Command line of one run.
 *
 * @param words program and arguments
 * @param environment all environment variables
 * @param folder working directory, which belongs to the run
 * @param undo command that ends what the program leaves behind when it is killed; empty for none
 * @param cleanUp command after the end; empty for none
 * @param cleanUpAfterNanos time from the end to it
 */
record ProgramCommand(
    List<String> words,
    Map<String, String> environment,
    Path folder,
    List<String> undo,
    List<String> cleanUp,
    long cleanUpAfterNanos) {
  ProgramCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
    undo = List.copyOf(undo);
    cleanUp = List.copyOf(cleanUp);
  }
}

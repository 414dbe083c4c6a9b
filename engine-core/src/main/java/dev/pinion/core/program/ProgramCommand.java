package dev.pinion.core.program;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Command line of one run.
 *
 * @param words program and arguments
 * @param environment all environment variables
 * @param folder working directory, which belongs to the run
 * @param container the container that the program starts; null for none
 */
record ProgramCommand(
    List<String> words,
    Map<String, String> environment,
    Path folder,
    @Nullable StartedContainer container) {
  ProgramCommand {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }
}

package dev.pinion.bootstrap.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.JsonNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Input of commands: definition files, and JSON given as text, as a file or on standard input. */
public final class CommandInput {
  private CommandInput() {}

  /** The bytes of a file. */
  public static byte[] file(Path file) throws CommandException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandException(
          ExitStatus.NO_INPUT, "expected a file to read at " + file + ", found " + found(file, e));
    }
  }

  private static String found(Path file, IOException e) {
    if (Files.isDirectory(file)) {
      return "a directory";
    }
    return e instanceof NoSuchFileException ? "nothing there" : String.valueOf(e.getMessage());
  }

  /** The media type of a definition by its file name. */
  public static String mediaType(Path file) {
    return file.toString().endsWith(".json") ? "application/json" : "application/yaml";
  }

  /**
   * A JSON value, with the numbers that the engine would read ({@link JsonNumbers}).
   *
   * @param argument the value itself, {@code @} and a file name, or {@code -} for standard input
   */
  public static JsonNode json(String argument) throws CommandException {
    try {
      return CommandOutput.JSON
          .reader()
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .with(JsonNumbers.FINITE)
          .readTree(jsonText(argument));
    } catch (JsonProcessingException e) {
      throw new CommandException(
          ExitStatus.DATA, "expected JSON as input, found: " + JsonNumbers.describe(e));
    } catch (IOException e) {
      throw new CommandException(ExitStatus.NO_INPUT, "cannot read the input: " + e.getMessage());
    }
  }

  private static String jsonText(String argument) throws IOException, CommandException {
    if (argument.equals("-")) {
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    }
    return argument.startsWith("@")
        ? new String(file(Path.of(argument.substring(1))), StandardCharsets.UTF_8)
        : argument;
  }
}

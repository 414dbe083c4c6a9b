package dev.pinion.benchmarks.experiments.globus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caveats about a cache that variants should have had. */
class FirstCallExperimentTest {
  @TempDir private Path folder;

  @Test
  void shouldTellThatThereWasNoCache() throws Exception {
    Path cache = folder.resolve("replica.aot");

    List<String> missing = FirstCallExperiment.withoutCache(cache.toString());
    List<String> off = FirstCallExperiment.withoutCache("");
    Files.createFile(cache);

    assertEquals(1, missing.size());
    assertTrue(missing.getFirst().contains("found none at " + cache), missing.getFirst());
    assertTrue(off.getFirst().contains("PINION_AOT=off"), off.getFirst());
    assertEquals(List.of(), FirstCallExperiment.withoutCache(cache.toString()));
  }
}

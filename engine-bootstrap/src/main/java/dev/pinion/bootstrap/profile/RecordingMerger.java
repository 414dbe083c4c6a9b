package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;

/** Builds one profile of the recordings of several processes. */
public final class RecordingMerger {
  private RecordingMerger() {}

  /**
   * Reads recordings.
   *
   * @param files files by process
   * @param label name of the profile
   * @param began its beginning, in ISO 8601
   * @param seconds its duration
   * @param notes data already known to be missing, each a sentence
   * @throws IOException when a recording cannot be read
   */
  public static Profile read(
      SortedMap<ProfiledProcess, Path> files,
      String label,
      String began,
      double seconds,
      List<String> notes)
      throws IOException {
    Profile.Builder builder = new Profile.Builder(new CallTree());
    List<String> all = new ArrayList<>(notes);
    TreeSet<String> samplers = new TreeSet<>();
    for (Map.Entry<ProfiledProcess, Path> each : files.entrySet()) {
      RecordingReader.RecordingNotes recordingNotes =
          RecordingReader.read(each.getValue(), each.getKey(), builder);
      samplers.add(recordingNotes.sampler());
      all.addAll(recordingNotes.notes());
    }
    long cut = builder.tree().cut();
    if (cut > 0) {
      all.add(cut + " stacks were cut: there are more than " + CallTree.MAX_NODES + " nodes.");
    }
    if (samplers.contains("jdk.ExecutionSample")) {
      all.add("This JVM cannot sample CPU time: time in native code has no stacks.");
    }
    return builder.build(
        new Profile.Header(label, began, seconds, String.join(", ", samplers), all));
  }
}

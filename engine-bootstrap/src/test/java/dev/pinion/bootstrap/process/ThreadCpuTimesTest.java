package dev.pinion.bootstrap.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.bootstrap.process.ThreadCpuTimes.ThreadTime;
import dev.pinion.bootstrap.topology.FileTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadCpuTimesTest {
  @Test
  void shouldReadTimesOfThreadsAndLeaveOutThoseThatEnd() {
    FileTree files =
        FileTree.of(
            Map.of(
                "proc/5/task/7/comm", "kernel-0\n",
                "proc/5/task/7/schedstat", "1200345 77 9\n",
                "proc/5/task/8/comm", "GC Thread#0\n",
                "proc/5/task/9/comm", "odd\n",
                "proc/5/task/9/schedstat", "?\n"));

    assertEquals(List.of(new ThreadTime(7, "kernel-0", 1_200_345)), ThreadCpuTimes.of(files, "5"));
  }

  @Test
  void shouldFindNothingWithoutProcfs() {
    assertEquals(List.of(), ThreadCpuTimes.of(FileTree.of(Map.of()), "self"));
  }
}

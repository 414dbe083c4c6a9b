package dev.pinion.bootstrap.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0-3,8|0-3,8", "3,1,2|1-3", "0|0", "5-5|5", "0-1,2-3|0-3", "' 7 '|7", "''|''"})
  void shouldReadAndWriteLists(String list, String printed) {
    assertEquals(printed, CpuSet.parse(list).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f|0-3",
        "00000001,00000000|32",
        "80000000|31",
        "00000000,0000000f|0-3",
        "0|''",
        "0000000f0000000f|0-3,32-35",
        "1,00000000,00000001|0,64"
      })
  void shouldReadMasks(String mask, String printed) {
    assertEquals(printed, CpuSet.parseMask(mask).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1-", "-1", "3-1", "1,,2", "1;2", "65536", "99999999999"})
  void shouldRefuseWhatIsNoList(String list) {
    assertThrows(IllegalArgumentException.class, () -> CpuSet.parse(list));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "1,123456789", "1,,2", "-1", "f ,f"})
  void shouldRefuseWhatIsNoMask(String mask) {
    assertThrows(IllegalArgumentException.class, () -> CpuSet.parseMask(mask));
  }

  @Test
  void shouldAcceptHighestCpuNumber() {
    assertEquals(1, CpuSet.parse(Integer.toString(CpuSet.MAX_CPU)).size());
  }

  @Test
  void shouldDoSetAlgebra() {
    CpuSet low = CpuSet.parse("0-3");
    CpuSet high = CpuSet.parse("2-5");

    assertEquals("2-3", low.and(high).toString());
    assertEquals("0-5", low.or(high).toString());
    assertEquals("0-1", low.minus(high).toString());
    assertTrue(low.intersects(high));
    assertFalse(low.containsAll(high));
    assertTrue(low.or(high).containsAll(high));
    assertEquals(2, high.first());
    assertEquals(-1, CpuSet.EMPTY.first());
  }

  @Test
  void shouldReadWhatItWrote() {
    long seed = 20_261_120;
    RandomGenerator random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      CpuSet set = CpuSet.of(random.ints(random.nextInt(40), 0, 200));
      assertEquals(set, CpuSet.parse(set.toString()), "seed " + seed + ", round " + i);
    }
  }
}

package dev.pinion.benchmarks.speedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws against Tables 2 to 6 of the lean-business-tier paper. */
class SpeedUpTest {
  /** Half a percentage point: the paper rounds to two digits, and some of its rows to one. */
  private static final double HALF_A_POINT = 0.006;

  @ParameterizedTest(name = "table {0}, {1} publishers on {2} cores")
  @CsvSource({
    // table, publishers, cores, T1, Tn, speed-up, Amdahl's, serial share as printed
    "2, 2, 3, 97.5813, 61.2239, 1.5938, 1.5957, 44.00",
    "2, 3, 3, 97.5813, 59.5325, 1.6391, 1.6411, 41.40",
    "2, 4, 3, 97.5813, 56.4405, 1.7289, 1.7309, 36.66",
    "2, 5, 3, 97.5813, 56.9371, 1.7138, 1.7176, 37.33",
    "2, 6, 3, 97.5813, 72.3974, 1.3479, 1.3538, 60.80",
    "2, 6, 6, 97.5813, 64.0004, 1.5247, 1.5267, 58.60",
    "3, 2, 3, 67.6631, 46.5872, 1.4524, 1.4535, 53.20",
    "3, 3, 3, 67.6631, 45.4589, 1.4884, 1.4897, 50.69",
    "3, 4, 3, 67.6631, 40.9507, 1.6523, 1.6536, 40.71",
    "3, 5, 3, 67.6631, 41.7257, 1.6216, 1.6246, 42.33",
    "3, 6, 3, 67.6631, 56.7850, 1.1916, 1.1957, 75.45",
    "3, 6, 6, 67.6631, 49.4165, 1.3692, 1.3714, 67.50",
    "4, 2, 3, 45.5631, 37.7867, 1.2058, 1.2063, 74.35",
    "4, 3, 3, 45.5631, 36.7530, 1.2397, 1.2402, 70.95",
    "4, 4, 3, 45.5631, 34.3507, 1.3264, 1.3270, 63.04",
    "4, 5, 3, 45.5631, 36.3660, 1.2529, 1.2547, 69.55",
    "4, 6, 3, 45.5631, 45.4211, 1.0031, 1.0064, 99.05",
    "4, 6, 6, 45.5631, 40.6145, 1.1218, 1.1246, 86.70",
    "5, 2, 3, 131.894, 69.978, 1.885, 1.884, 29.60",
    "5, 3, 3, 131.894, 50.146, 2.630, 2.632, 7.00",
    "5, 6, 3, 131.894, 68.579, 1.923, 1.923, 28.00",
    "6, 2, 3, 97.6631, 56.5872, 1.7259, 1.7261, 36.90",
    "6, 3, 3, 97.6631, 45.4589, 2.1484, 2.1493, 19.79",
    "6, 6, 3, 97.6631, 70.6665, 1.3820, 1.3825, 58.50",
  })
  void shouldReproduceEveryRowWithTheNumberOfCores(
      int table,
      int publishers,
      int cores,
      double one,
      double many,
      double speedUp,
      double amdahl,
      double serialPercent) {
    double measured = one / many;

    assertEquals(speedUp, measured, 0.0006);
    assertEquals(serialPercent / 100, Amdahl.serialShare(measured, cores), HALF_A_POINT);
    assertEquals(amdahl, Amdahl.speedUp(serialPercent / 100, cores), 0.0011);
    assertEquals(measured, Amdahl.speedUp(Amdahl.serialShare(measured, cores), cores), 1e-12);
  }

  @Test
  void shouldNotReproduceThePaperWithTheNumberOfPublishers() {
    // table 2, 2 publishers: 25.5 % instead of the printed 44.0 %
    assertEquals(0.255, Amdahl.serialShare(97.5813 / 61.2239, 2), 0.0005);
    assertEquals(0.437, Amdahl.serialShare(97.5813 / 56.4405, 4), 0.002);
  }

  @Test
  void shouldInvertGustafsonsLaw() {
    assertEquals(9.1, Gustafson.speedUp(0.1, 10), 1e-12);
    assertEquals(0.1, Gustafson.serialShare(9.1, 10), 1e-12);
    assertEquals(0, Gustafson.serialShare(4, 4));
  }

  @ParameterizedTest(name = "table {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // table | publishers=time on 3 cores                                    | RMS  | best n
        "2 | 1=97.5813 2=61.2239 3=59.5325 4=56.4405 5=56.9371 6=72.3974 | 0.09 | 3.2",
        "3 | 1=67.6631 2=46.5872 3=45.4589 4=40.9507 5=41.7257 6=56.7850 | 0.12 | 3.1",
        "4 | 1=45.5631 2=37.7867 3=36.7530 4=34.3507 5=36.3660 6=45.4211 | 0.08 | 2.8",
        "5 | 1=131.894 2=69.978 3=50.146 6=68.579                        | 0.28 | 4.1",
        "6 | 1=97.6631 2=56.5872 3=45.4589 6=70.6665                     | 0.17 | 3.2",
      })
  void shouldFitUniversalScalability(int table, String times, double error, double best) {
    // given
    Map<Integer, Double> speedUps = new TreeMap<>();
    double one = 0;
    for (String entry : times.strip().split(" ", -1)) {
      String[] parts = entry.split("=", -1);
      double time = Double.parseDouble(parts[1]);
      one = one == 0 ? time : one;
      speedUps.put(Integer.valueOf(parts[0]), one / time);
    }

    // when
    UniversalScalability law = UniversalScalability.fit(speedUps);

    // then
    assertEquals(error, law.error(speedUps), 0.0055);
    assertEquals(best, law.best(), 0.055);
  }

  @Test
  void shouldFindALawThatMadeItsPoints() {
    UniversalScalability law = new UniversalScalability(0.05, 0.002);
    Map<Integer, Double> points = new TreeMap<>();
    for (int n : new int[] {1, 2, 4, 8, 16, 32}) {
      points.put(n, law.speedUp(n));
    }

    UniversalScalability found = UniversalScalability.fit(points);

    assertEquals(0.05, found.contention(), 1e-5);
    assertEquals(0.002, found.coherency(), 1e-6);
    assertEquals(Math.sqrt(0.95 / 0.002), found.best(), 0.05);
  }

  @Test
  void shouldStayWithOneWhereMoreOnlyCosts() {
    UniversalScalability law = UniversalScalability.fit(Map.of(1, 1.0, 2, 0.8, 4, 0.6));

    assertEquals(1, law.best());
  }

  @Test
  void shouldRefuseWhatSaysNothing() {
    assertThrows(IllegalArgumentException.class, () -> Amdahl.serialShare(1, 1));
    assertThrows(IllegalArgumentException.class, () -> Amdahl.serialShare(0, 2));
    assertThrows(IllegalArgumentException.class, () -> Gustafson.serialShare(1, 1));
    assertThrows(
        IllegalArgumentException.class, () -> UniversalScalability.fit(Map.of(1, 1.0, 2, 1.5)));
    assertThrows(
        IllegalArgumentException.class,
        () -> UniversalScalability.fit(Map.of(2, 1.5, 3, 2.0, 4, 2.2)));
  }
}

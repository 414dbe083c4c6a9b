package dev.pinion.core.jq.special;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecialFunctionsTest {
  /** Values computed with 150 digits; arguments next to zeros are the hard ones. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          lgamma ~ 0.5 ~ 0.5723649429247001
          lgamma ~ 1.0000000001 ~ -5.772157125783244e-11
          lgamma ~ 1.5 ~ -0.12078223763524522
          lgamma ~ 2.000001 ~ 4.2278465762452923e-07
          lgamma ~ 3 ~ 0.6931471805599453
          lgamma ~ 10.25 ~ 13.368023671476045
          lgamma ~ 100 ~ 359.1342053695754
          lgamma ~ 100000.0 ~ 1051287.7089736569
          lgamma ~ -0.5 ~ 1.2655121234846454
          lgamma ~ -2.4570247382208006 ~ 5.619192358950097e-17
          lgamma ~ -2.5 ~ -0.056243716497674054
          lgamma ~ -20.3 ~ -41.887292480135244
          lgamma ~ 1e-30 ~ 69.07755278982137
          lgamma ~ 1e+300 ~ 6.897755278982137e+302
          tgamma ~ 0.5 ~ 1.772453850905516
          tgamma ~ 1 ~ 1.0
          tgamma ~ 1.5 ~ 0.886226925452758
          tgamma ~ 5 ~ 24.0
          tgamma ~ 23 ~ 1.1240007277776077e+21
          tgamma ~ 25 ~ 6.204484017332394e+23
          tgamma ~ 100.5 ~ 9.320963104082716e+156
          tgamma ~ 171.6 ~ 1.5858969096672565e+308
          tgamma ~ -0.5 ~ -3.544907701811032
          tgamma ~ -1.5 ~ 2.363271801207355
          tgamma ~ -10.25 ~ -6.780818043294673e-07
          tgamma ~ -170.5 ~ -3.3127395215386074e-308
          tgamma ~ 1e-300 ~ 9.999999999999999e+299
          erf ~ 1e-300 ~ 1.1283791670955126e-300
          erf ~ 1e-05 ~ 1.1283791670579e-05
          erf ~ 0.1 ~ 0.1124629160182849
          erf ~ 0.5 ~ 0.5204998778130465
          erf ~ 1 ~ 0.8427007929497149
          erf ~ 2 ~ 0.9953222650189527
          erf ~ 3.5 ~ 0.9999992569016276
          erf ~ 5.9 ~ 0.9999999999999999
          erf ~ -0.75 ~ -0.7111556336535151
          erfc ~ 1e-05 ~ 0.9999887162083294
          erfc ~ 0.5 ~ 0.4795001221869535
          erfc ~ 1 ~ 0.15729920705028513
          erfc ~ 3 ~ 2.209049699858544e-05
          erfc ~ 5.99 ~ 2.4300455127321346e-17
          erfc ~ 6 ~ 2.1519736712498913e-17
          erfc ~ 10 ~ 2.088487583762545e-45
          erfc ~ 20 ~ 5.395865611607901e-176
          erfc ~ 26.5 ~ 2.2109076642637343e-307
          erfc ~ -2 ~ 1.9953222650189528
          j0 ~ 0.5 ~ 0.9384698072408129
          j0 ~ 1 ~ 0.7651976865579666
          j0 ~ 2.404825557695773 ~ -6.10876525973673e-17
          j0 ~ 5.520078110286311 ~ -2.7522649432621832e-17
          j0 ~ 10 ~ -0.24593576445134835
          j0 ~ 44.9 ~ 0.1180729427741916
          j0 ~ 45.1 ~ 0.11241346453769713
          j0 ~ 100 ~ 0.019985850304223122
          j0 ~ 10000.0 ~ -0.0070961603533888015
          j0 ~ 10000000000.0 ~ 2.175591750246892e-06
          j0 ~ -3 ~ -0.26005195490193345
          j1 ~ 1e-30 ~ 5e-31
          j1 ~ 0.5 ~ 0.2422684576748739
          j1 ~ 1 ~ 0.4400505857449335
          j1 ~ 3.8317059702075125 ~ -6.149807356994906e-17
          j1 ~ 10 ~ 0.04347274616886144
          j1 ~ 44.9 ~ 0.01669470617601571
          j1 ~ 45.1 ~ 0.039694334633873105
          j1 ~ 100 ~ -0.07714535201411216
          j1 ~ 10000.0 ~ 0.0036474507555295803
          j1 ~ 10000000000.0 ~ -7.676508175684158e-06
          j1 ~ -3 ~ -0.3390589585259365
          y0 ~ 1e-30 ~ -44.04994022787435
          y0 ~ 0.5 ~ -0.44451873350670656
          y0 ~ 0.8935769662791675 ~ -2.3389279284062102e-17
          y0 ~ 1 ~ 0.08825696421567696
          y0 ~ 10 ~ 0.055671167283599395
          y0 ~ 44.9 ~ 0.015379072681958605
          y0 ~ 45.1 ~ 0.038445857682347075
          y0 ~ 100 ~ -0.07724431336508315
          y0 ~ 10000.0 ~ 0.0036478055589866058
          y0 ~ 10000000000.0 ~ -7.676508175792937e-06
          y1 ~ 1e-30 ~ -6.366197723675812e+29
          y1 ~ 0.5 ~ -1.471472392670243
          y1 ~ 1 ~ -0.7812128213002887
          y1 ~ 2.197141326031017 ~ 2.513306678922122e-17
          y1 ~ 10 ~ 0.24901542420695388
          y1 ~ 44.9 ~ -0.11790902011183423
          y1 ~ 45.1 ~ -0.11199419089301672
          y1 ~ 100 ~ -0.020372312002759792
          y1 ~ 10000.0 ~ 0.007096342752536495
          y1 ~ 10000000000.0 ~ -2.175591750630717e-06
          jn 2 ~ 1.5 ~ 0.23208767214421472
          jn 5 ~ 0.1 ~ 2.6030817909644417e-09
          jn 10 ~ 40 ~ 0.11938336278226096
          jn 30 ~ 50 ~ 0.04843425724550942
          jn 60 ~ 50 ~ 0.0010485195995314181
          jn 120 ~ 50 ~ 4.3030265217676975e-34
          jn 7 ~ 1000 ~ -0.005321783076443615
          jn 3 ~ 1e-20 ~ 2.083333333333333e-62
          yn 2 ~ 1.5 ~ -0.9321937597629739
          yn 5 ~ 0.1 ~ -24461484.50230391
          yn 10 ~ 40 ~ -0.04672387723267787
          yn 30 ~ 50 ~ -0.11645723493544145
          yn 60 ~ 50 ~ -9.194397418995578
          yn 120 ~ 50 ~ -6.781214243907812e+30
          yn 7 ~ 1000 ~ 0.024664020665858936
          yn 3 ~ 1e-20 ~ -5.0929581789406516e+60
          j0 ~ 1e+22 ~ -1.8561051065108217e-12
          y0 ~ 1e+22 ~ -7.759951744073064e-12
          j0 ~ 1e+300 ~ -7.860673062724093e-151
          y0 ~ 1e+300 ~ -1.3681360450342481e-151
          """)
  void shouldBeExactToTheLastDigit(String function, double x, double expected) {
    double found = apply(function.split(" "), x);

    assertEquals(expected, found, Math.ulp(expected));
  }

  private static double apply(String[] function, double x) {
    return switch (function[0]) {
      case "lgamma" -> GammaFunction.logGamma(x);
      case "tgamma" -> GammaFunction.gamma(x);
      case "erf" -> ErrorFunction.erf(x);
      case "erfc" -> ErrorFunction.erfc(x);
      case "jn" -> BesselFunctions.j(Integer.parseInt(function[1]), x, orders -> {});
      case "yn" -> BesselFunctions.y(Integer.parseInt(function[1]), x, orders -> {});
      default ->
          function[0].charAt(0) == 'j'
              ? BesselFunctions.j(function[0].charAt(1) - '0', x)
              : BesselFunctions.y(function[0].charAt(1) - '0', x);
    };
  }

  /** Arguments at which a function has no finite value, or a limit. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          lgamma ~ 0 ~ Infinity
          lgamma ~ -3 ~ Infinity
          lgamma ~ 1 ~ 0
          lgamma ~ 2 ~ 0
          lgamma ~ Infinity ~ Infinity
          lgamma ~ 1e308 ~ Infinity
          lgamma ~ NaN ~ NaN
          tgamma ~ 0 ~ Infinity
          tgamma ~ -0.0 ~ -Infinity
          tgamma ~ -3 ~ NaN
          tgamma ~ 172 ~ Infinity
          tgamma ~ -Infinity ~ NaN
          tgamma ~ -200.5 ~ 0
          erf ~ 7 ~ 1
          erf ~ -Infinity ~ -1
          erf ~ NaN ~ NaN
          erfc ~ 28 ~ 0
          erfc ~ -28 ~ 2
          erfc ~ NaN ~ NaN
          j0 ~ 0 ~ 1
          j1 ~ 0 ~ 0
          j0 ~ Infinity ~ 0
          j1 ~ NaN ~ NaN
          y0 ~ 0 ~ -Infinity
          y1 ~ -1 ~ NaN
          y1 ~ Infinity ~ 0
          y0 ~ NaN ~ NaN
          jn -3 ~ 0 ~ 0
          jn 2000000000 ~ 5 ~ 0
          jn 2000 ~ 100 ~ 0
          yn 300 ~ 1 ~ -Infinity
          yn -3 ~ 0 ~ Infinity
          """)
  void shouldHaveLimits(String function, double x, double expected) {
    assertEquals(expected, apply(function.split(" "), x) + 0.0);
  }

  @Test
  void shouldKnowSignsAndSymmetries() {
    assertEquals(1, GammaFunction.sign(2.5));
    assertEquals(-1, GammaFunction.sign(-0.5));
    assertEquals(1, GammaFunction.sign(-1.5));
    assertEquals(1, GammaFunction.sign(-2));
    for (int order = -5; order <= 5; order++) {
      double sign = order % 2 == 0 ? 1 : -1;
      for (double x : new double[] {0.5, 7, 60}) {
        double j = BesselFunctions.j(order, x, orders -> {});
        assertEquals(sign * j, BesselFunctions.j(-order, x, orders -> {}));
        assertEquals(sign * j, BesselFunctions.j(order, -x, orders -> {}));
        assertEquals(
            sign * BesselFunctions.y(order, x, orders -> {}),
            BesselFunctions.y(-order, x, orders -> {}));
      }
    }
  }

  @Test
  void shouldTellTheWorkOfARecurrenceBefore() {
    List<Long> told = new ArrayList<>();

    double up = BesselFunctions.j(90, 100, told::add);
    double down = BesselFunctions.j(110, 100, told::add);
    double second = BesselFunctions.y(90, 100, told::add);

    assertTrue(Double.isFinite(up + down + second));
    assertEquals(90, told.get(0));
    assertTrue(told.get(1) > 110 && told.get(1) < 400, told::toString);
    assertEquals(90, told.get(2));
  }

  @Test
  void shouldKeepDoublesExactlyAndRoundToTheNearest() {
    for (double value : new double[] {0, 1, -1.5, 1e300, -1e-40, Double.MAX_VALUE, 0.1, 3e15}) {
      assertEquals(value, FixedPoint.of(value).value());
    }
    assertEquals(0.0, FixedPoint.of(1e-300).value());
    assertEquals(1.0 / 3, FixedPoint.ONE.over(3).value());
    assertEquals(Math.sqrt(2), FixedPoint.of(2L).root().value());
    assertEquals(Math.PI, ElementaryFunctions.PI.value());
    assertEquals(Math.E, ElementaryFunctions.exp(FixedPoint.ONE).value());
    assertEquals(Math.log(10), ElementaryFunctions.log(10.0).value());
    assertEquals(Math.log(Double.MIN_VALUE), ElementaryFunctions.log(Double.MIN_VALUE).value());
  }
}

package netsim

// Jain returns Jain's fairness index of what each flow got, (sum x)^2 / (n *
// sum x^2): 1 when all got the same, 1/n when one got all. It is 1 when nobody
// got anything, and for no flows. (R. Jain, D. Chiu, W. Hawe, DEC-TR-301,
// 1984.)
func Jain(xs ...float64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range xs {
		sum += x
		squares += float64(x * x) // not fused, so that all platforms agree
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(xs)) * squares)
}

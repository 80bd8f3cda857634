/*
 * SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
 * SPDX-License-Identifier: MIT
 *
 * What C++ programs are made of: templates, lambdas, containers, exceptions and
 * much that is inlined.
 */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{
volatile int sink;

template <typename T> class stack
{
    public:
	void push(T value)
	{
		values_.push_back(std::move(value));
	}

	T pop()
	{
		if (values_.empty())
			throw std::out_of_range("empty stack");
		T value = std::move(values_.back());
		values_.pop_back();
		return value;
	}

	template <typename F> void each(F function) const
	{
		for (const T &value : values_)
			function(value);
	}

    private:
	std::vector<T> values_;
};

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};

struct square final : shape {
	explicit square(double side) : side_(side)
	{
	}

	double area() const override
	{
		return side_ * side_;
	}

	double side_;
};

struct circle final : shape {
	explicit circle(double radius) : radius_(radius)
	{
	}

	double area() const override
	{
		return 3.14159 * radius_ * radius_;
	}

	double radius_;
};
} // namespace

namespace work
{
inline namespace v1
{
template <int N> struct power {
	static int of(int value)
	{
		return value * power<N - 1>::of(value);
	}
};

template <> struct power<0> {
	static int of(int)
	{
		return 1;
	}
};

bool operator<(const square &left, const square &right);

bool operator<(const square &left, const square &right)
{
	return left.side_ < right.side_;
}

std::map<std::string, int> count_words(const std::vector<std::string> &words);

__attribute__((noinline)) std::map<std::string, int> count_words(
	const std::vector<std::string> &words)
{
	std::map<std::string, int> counts;

	for (const auto &word : words)
		counts[word] += power<3>::of(static_cast<int>(word.size()));
	return counts;
}
} // namespace v1

double total_area(const std::vector<std::unique_ptr<shape>> &shapes);

__attribute__((noinline)) double total_area(const std::vector<std::unique_ptr<shape>> &shapes)
{
	return std::accumulate(shapes.begin(), shapes.end(), 0.0,
		[](double sum, const auto &next) { return sum + next->area(); });
}
} // namespace work

static int risky(stack<int> &numbers, const std::function<int(int)> &change)
{
	try {
		return change(numbers.pop()) + change(numbers.pop());
	} catch (const std::out_of_range &error) {
		std::fprintf(stderr, "%s\n", error.what());
		return -1;
	}
}

int main(int argc, char **argv)
{
	std::vector<std::string> words(argv, argv + argc);
	std::vector<std::unique_ptr<shape>> shapes;
	std::vector<square> squares;
	stack<int> numbers;

	for (int i = 0; i < argc + 10; i++) {
		words.push_back(std::to_string(i * i));
		shapes.push_back(std::make_unique<square>(i));
		shapes.push_back(std::make_unique<circle>(i));
		squares.emplace_back(100 - i);
		numbers.push(i);
	}
	std::sort(words.begin(), words.end(), [](const std::string &left, const std::string &right) {
		return left.size() != right.size() ? left.size() < right.size() : left < right;
	});
	std::stable_sort(squares.begin(), squares.end(),
		[](const square &left, const square &right) { return work::operator<(left, right); });
	for (const auto &entry : work::count_words(words))
		sink = sink + entry.second;
	numbers.each([](int number) { sink = sink + number; });
	sink = sink + risky(numbers, [argc](int value) { return value * argc; });
	sink = sink + static_cast<int>(work::total_area(shapes));
	return 0;
}
